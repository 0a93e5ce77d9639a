// A person continues an episode that an agent has begun on a desktop of the run that trains.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import { desktopId, seed } from '../../runtime/core/ids.ts';
import { verdict } from '../../runtime/core/verdict.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { BegunEpisode } from '../../runtime/person/begun-episode.ts';
import type { PersonDemonstration } from '../../runtime/person/demonstration.ts';
import type { RecordingDesktop } from '../../runtime/person/recording-options.ts';
import { CountedDesktop } from './counted-desktop.ts';
import { live, solution, TASK } from './live.ts';

const SOLUTION = solution();
const WAIT: Action = { kind: 'wait' };

/** A pocket desktop on which an agent has performed these actions. */
async function begunOn(
  actions: readonly Action[],
): Promise<RecordingDesktop & { readonly resets: () => number }> {
  const desktop = new PocketDesktop(desktopId('d3'));
  const task = POCKET.task(TASK, seed(0));
  let screen: BegunEpisode['screen'] = await desktop.reset(task, seed(0));
  for (const action of actions) screen = await desktop.act(action);
  let resets = 0;
  const reset = desktop.reset.bind(desktop);
  desktop.reset = (...instance) => {
    resets += 1;
    return reset(...instance);
  };
  const begun = { instruction: task.instruction, actions, screen };
  return { desktop, begun, close: async () => undefined, resets: () => resets };
}

describe('an episode in progress', () => {
  test('is continued without a reset; the steps of the agent are shown as its own', async () => {
    const done = SOLUTION.slice(0, 2);
    const opened = await begunOn(done);
    const { recording, until } = live([], { isAlone: true, desktop: 'd3', open: async () => opened });
    expect(await until(({ phase }) => phase === 'acting')).toMatchObject({
      ...{ desktop: 'd3', hasSolution: false, isDeterministic: true },
      steps: done.map(action => ({ action, by: 'agent' })),
    });
    expect(opened.resets()).toBe(0);
    expect(recording.state).not.toHaveProperty('pilot');
    await expect(recording.showSolution()).rejects.toThrow('No solution can be shown');
  });

  test('is kept as a demonstration of the part of the person', async () => {
    const opened = await begunOn([WAIT, ...SOLUTION.slice(0, 2)]);
    const { recording, kept, until, act } = live([], {
      ...{ isAlone: true, desktop: 'd3', open: async () => opened },
    });
    await until(({ phase }) => phase === 'acting');
    for (const action of SOLUTION.slice(2, -1)) await act(action);
    await recording.finish('finished', undefined);
    expect(recording.state.judgement).toMatchObject({ success: true });
    await expect(recording.save([0])).rejects.toThrow('one of the agent');
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    const [{ trajectory, taught }] = kept as [PersonDemonstration];
    expect(taught).toEqual({ from: 3, to: trajectory.steps.length });
    expect(trajectory).toMatchObject({ provenance: { kind: 'human', who: 'Ada' }, purpose: 'demonstrate' });
    for (const field of ['order', 'run', 'group', 'agent']) expect(trajectory).not.toHaveProperty(field);
  });

  test('loses the steps of the agent when the person starts over', async () => {
    const opened = await begunOn(SOLUTION.slice(0, 2));
    const { recording, kept, until, act } = live([], { isAlone: true, open: async () => opened });
    await until(({ phase }) => phase === 'acting');
    await recording.restart();
    expect(recording.state).toMatchObject({ phase: 'acting', steps: [] });
    expect(opened.resets()).toBe(1);
    for (const action of SOLUTION.slice(0, -1)) await act(action);
    await recording.finish('finished', undefined);
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    expect(kept[0]).not.toHaveProperty('taught');
  });

  test('keeps the pictures of the agent on a desktop that does not repeat exactly', async () => {
    const desktop = new CountedDesktop();
    // Its replay does not solve the task.
    let judged = 0;
    desktop.judge = async () => verdict(judged++ === 0 ? 1 : 0, 'by its number');
    const images = [1, 2, 3].map(byte => new Uint8Array([byte]));
    const begun = { instruction: 'Do it.', actions: [WAIT, WAIT], images, screen: desktop.shown('begun') };
    const close = async () => undefined;
    const { recording, kept, until } = live([], {
      ...{ isAlone: true, open: async () => ({ desktop, begun, close }) },
    });
    await until(({ phase }) => phase === 'acting');
    const { result } = await recording.look(0, 0);
    expect(result.frame).toBe(3);
    for (const kind of ['press', 'release'] as const) {
      const event = { kind, button: 'left', at: { x: 1, y: 1 } } as const;
      await recording.input([{ event, time: 0, frame: 3 }]);
    }
    await recording.finish('finished', undefined);
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    const [{ trajectory, taught }] = kept as [PersonDemonstration];
    expect(taught).toEqual({ from: 2, to: 4 });
    const frames = trajectory.frames.kind === 'png' ? trajectory.frames.images : [];
    expect(frames).toHaveLength(trajectory.steps.length + 1);
    expect(frames.slice(0, 3)).toEqual(images);
  });
});
