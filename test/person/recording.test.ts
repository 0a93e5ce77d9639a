// One recording on a pocket desktop: raw events become a demonstration that solves the task again.

import { describe, expect, onTestFinished, test } from 'vitest';
import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { desktopId, seed, taskId } from '../../runtime/core/ids.ts';
import { decodePng } from '../../runtime/core/png-reader.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { stepLimit } from '../../runtime/core/task.ts';
import { isSuccess, verdict } from '../../runtime/core/verdict.ts';
import { keptOf } from '../../runtime/data/files/lines.ts';
import { SuccessReplay } from '../../runtime/discovery/replay/success-replay.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { PersonDemonstration } from '../../runtime/person/demonstration.ts';
import { openRecordingDesktop } from '../../runtime/person/open-desktop.ts';
import { Recording } from '../../runtime/person/recording.ts';
import type { RecordingOptions } from '../../runtime/person/recording-options.ts';
import { replayActions } from '../../runtime/person/replay.ts';
import { CountedDesktop } from './counted-desktop.ts';
import { playing, ScriptedAgent } from './scripted-agent.ts';

const CONFIG = parseConfig({});

function recordingOf(id: string, number = 0, options: Partial<RecordingOptions> = {}) {
  const task = POCKET.task(id, seed(number));
  const kept: PersonDemonstration[] = [];
  const recording = new Recording({
    ...{ name: 'r', kind: 'pocket', task, instance: { task: taskId(id), seed: seed(number) } },
    ...{ split: 'train', tier: 1, maxSteps: stepLimit(task), mode: CONFIG.mode, who: 'Ada' },
    open: signal =>
      openRecordingDesktop({ config: CONFIG, clock: systemClock, random: seeded('recording') }, signal),
    keep: async demonstration => void kept.push(demonstration),
    clock: systemClock,
    ...options,
  });
  onTestFinished(() => recording.close());
  /** Looks until the state fits. */
  const until = async (fits: (state: typeof recording.state) => boolean) => {
    for (let frame = 0; !fits(recording.state); )
      ({
        result: { frame },
      } = await recording.look(frame, recording.state.change));
    return recording.state;
  };
  let time = 0;
  const send = async (events: ReturnType<typeof eventsOf>) => {
    for (const event of events) {
      time += 20;
      await recording.input([{ event, time, frame: 1 }]);
    }
    time += 2000;
  };
  return { recording, kept, until, send, task };
}

/** The actions of the script, as a person does them, and the end. */
async function solved(id: string, number = 0, options: Partial<RecordingOptions> = {}) {
  const made = recordingOf(id, number, options);
  await made.until(({ phase }) => phase === 'acting');
  const { actions, ending } = solutionOf(POCKET, made.task, seed(number));
  for (const action of actions) await made.send(eventsOf(action));
  return { ...made, ending, actions };
}

const TEN = POCKET.tasks('train').filter(
  (_, index) => index % Math.ceil(POCKET.tasks('train').length / 10) === 0,
);

describe('a recording', () => {
  test.each(TEN)('of %s from the raw events of a solution succeeds, and so does its replay', async id => {
    const { recording, kept, until, ending, task } = await solved(id);
    await recording.finish(ending, undefined);
    expect(recording.state.judgement).toMatchObject({ success: true, ending });
    await recording.save([]);
    expect(await until(({ phase }) => phase !== 'checking')).toMatchObject({ phase: 'saved' });
    const [{ trajectory }] = kept as [PersonDemonstration];
    expect(trajectory).toMatchObject({
      ...{ purpose: 'demonstrate', provenance: { kind: 'human', who: 'Ada' } },
      ...{ instance: { task: id, seed: 0 }, frames: { kind: 'redrawn' } },
    });
    expect(trajectory.steps.every(({ chosen }) => chosen === undefined)).toBe(true);
    const desktop = new PocketDesktop(desktopId('again'));
    const again = await replayActions(desktop, { task, seed: seed(0) }, trajectory.steps);
    expect(again && isSuccess({ kind: 'judged', ...again.end })).toBe(true);
  });

  test('is replayed by a run that trains as lessons, one per step', async () => {
    const { recording, kept, until, ending } = await solved('notes-write');
    await recording.finish(ending, undefined);
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    const trajectory = kept[0]?.trajectory;
    if (trajectory === undefined) throw new Error('Nothing was kept.');
    const replay = new SuccessReplay({
      ...{ suite: POCKET, desktop: new PocketDesktop(desktopId('recalling')), mode: CONFIG.mode },
      ...{ fabric: embeddedFabric(), clock: systemClock },
    });
    // As its file has it.
    const stored = keptOf(trajectory);
    const lessons = await replay.replay({
      ...{ trajectory: stored, isMember: true, since: 1, instruction: stored.instruction },
    });
    expect(lessons?.steps.length).toBeGreaterThanOrEqual(stored.steps.length);
    expect(lessons).toMatchObject({ isMember: true, canReplaceFailure: true });
  });

  test('merges letters and presses: it has about as many steps as the script', async () => {
    const { recording, ending, actions } = await solved('files-rename');
    await recording.finish(ending, undefined);
    const steps = recording.state.steps.map(({ action }) => action);
    const typed = actions.flatMap(action => (action.kind === 'type' ? action.text.trimEnd() : []));
    expect(typed).not.toEqual([]);
    for (const text of typed) expect(steps).toContainEqual({ kind: 'type', text });
    // Enter is a key of its own.
    expect(steps.length).toBeLessThanOrEqual(actions.length + typed.length + 1);
  });

  test('judges a failure, keeps nothing of it, and starts over', async () => {
    const { recording, until } = recordingOf('notes-write');
    await until(({ phase }) => phase === 'acting');
    await recording.finish('finished', undefined);
    expect(recording.state).toMatchObject({ phase: 'judged', judgement: { success: false } });
    expect(recording.state.judgement?.checks.some(({ met }) => !met)).toBe(true);
    await expect(recording.save([])).rejects.toThrow('not solved');
    await recording.restart();
    expect(recording.state).toMatchObject({ phase: 'acting', steps: [] });
    expect(recording.state.judgement).toBeUndefined();
  });

  test('of a feasible task that is reported as infeasible names no condition as the reason', async () => {
    const { recording } = await solved('settings-night-light');
    await recording.finish('fail', undefined);
    expect(recording.state.judgement).toMatchObject({
      success: false,
      checks: [{ met: false, says: 'The task is feasible, but was reported as infeasible.' }],
    });
  });

  test('keeps a trimmed demonstration only if it still succeeds', async () => {
    const { recording, kept, until, ending, send, actions } = await solved('settings-night-light');
    await send(eventsOf({ kind: 'wait' }));
    await recording.finish(ending, undefined);
    const superfluous = actions.length;
    await recording.save([0]);
    expect(await until(({ phase }) => phase !== 'checking')).toMatchObject({
      phase: 'judged',
      problem: expect.stringContaining('Without this step'),
    });
    expect(kept).toEqual([]);
    await recording.save([superfluous]);
    expect(await until(({ phase }) => phase !== 'checking')).toMatchObject({ phase: 'saved' });
    expect(kept[0]?.trajectory.steps).toHaveLength(actions.length + 1);
  });

  test('of an instruction of one’s own asks whether it was done, and stores the word of the person', async () => {
    const { recording, kept, until, ending } = await solved('settings-night-light', 0, {
      instruction: 'Do it.',
    });
    expect(recording.state).toMatchObject({ instruction: 'Do it.', isOwn: true });
    await expect(recording.finish(ending, undefined)).rejects.toThrow('Say whether it was done');
    await recording.finish(ending, true);
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    expect(kept[0]).toMatchObject({ own: 'Do it.', trajectory: { provenance: { who: 'Ada' } } });
    expect(kept[0]?.trajectory.instruction).not.toBe('Do it.');
  });

  test('never saves an instance for tests', async () => {
    const { recording, ending } = await solved('settings-night-light', 1000, { split: 'test' });
    await recording.finish(ending, undefined);
    await expect(recording.save([])).rejects.toThrow('never used for training');
  });

  test('is judged once, although it is finished again meanwhile', async () => {
    const desktop = new CountedDesktop();
    let judged = 0;
    const { judge } = desktop;
    desktop.judge = () => {
      judged += 1;
      return judge();
    };
    const open = async () => ({ desktop, close: async () => undefined });
    const { recording, until } = recordingOf('notes-write', 0, { open });
    await until(({ phase }) => phase === 'acting');
    await Promise.all([recording.finish('finished', undefined), recording.finish('fail', undefined)]);
    expect(judged).toBe(1);
    expect(recording.state).toMatchObject({ phase: 'judged', judgement: { ending: 'finished' } });
    expect(recording.state.steps).toHaveLength(1);
  });

  test('that is started over takes no input that was meant for the screen before', async () => {
    const { recording, until } = recordingOf('notes-write');
    await until(({ phase }) => phase === 'acting');
    const restarted = recording.restart();
    const events = eventsOf({ kind: 'click', at: { x: 5, y: 5 } });
    await recording.input(events.map((event, index) => ({ event, time: 20 * index, frame: 1 })));
    await restarted;
    expect(recording.state).toMatchObject({ phase: 'acting', steps: [] });
  });

  test('shows the scripted solution, and then lets the person do it', async () => {
    const { recording, until } = recordingOf('settings-night-light');
    await until(({ phase }) => phase === 'acting');
    await recording.showSolution();
    const shown = await until(({ shown }) => shown !== undefined && shown.at === shown.of);
    expect(shown.steps).toHaveLength(shown.shown?.of ?? 0);
    await expect(recording.input([{ event: { kind: 'wait' }, time: 0, frame: 1 }])).rejects.toThrow(
      'Start over',
    );
    await recording.restart();
    expect(recording.state).toMatchObject({ phase: 'acting', steps: [] });
  });

  test('saved as it was done, a wait begins at the screen after the action before it', async () => {
    const desktop = new CountedDesktop();
    let willChange = false;
    desktop.look = async () => {
      const screen = desktop.shown('look', !willChange);
      willChange = false;
      return screen;
    };
    // The replays fail.
    const scores = [1];
    desktop.judge = async () => verdict(scores.shift() ?? 0, 'it was judged');
    const { recording, kept, until } = recordingOf('notes-write', 0, {
      open: async () => ({ desktop, close: async () => undefined }),
    });
    await until(({ phase }) => phase === 'acting');
    let seen = (await recording.look(0, 0)).result;
    const changed = async () => {
      willChange = true;
      const { frame } = seen;
      while (willChange || seen.frame === frame)
        seen = (await recording.look(seen.frame, seen.state.change)).result;
    };
    const click = async () => {
      for (const event of eventsOf({ kind: 'click', at: { x: 1, y: 1 } }))
        await recording.input([{ event, time: 1000 * desktop.calls.length, frame: seen.frame }]);
    };
    await click();
    await changed();
    await click();
    await changed();
    await recording.finish('finished', undefined);
    await recording.save([]);
    expect(await until(({ phase }) => phase !== 'checking')).toMatchObject({ phase: 'saved' });
    const { steps, frames } = kept[0]?.trajectory ?? expect.fail();
    if (frames.kind !== 'png') expect.fail();
    expect(steps.map(({ action }) => action.kind)).toEqual(['click', 'wait', 'click', 'wait', 'finished']);
    // The shades of the desktop count its changes: reset, click, look, click, look.
    expect(frames.images.map(image => decodePng(image, 4).data[0])).toEqual([1, 2, 3, 4, 5, 5]);
  });

  test('reports a desktop that does not start, and input off the screen', async () => {
    const broken = recordingOf('notes-write', 0, {
      open: () => Promise.reject(new Error('Docker engine not reachable. Start it.')),
    });
    expect(await broken.until(({ phase }) => phase !== 'opening')).toMatchObject({
      phase: 'failed',
      problem: expect.stringContaining('not reachable'),
    });
    const { recording, until, send } = recordingOf('notes-write');
    await until(({ phase }) => phase === 'acting');
    await expect(send(eventsOf({ kind: 'click', at: { x: 5000, y: 1 } }))).rejects.toThrow('off the screen');
    expect(recording.state.phase).toBe('acting');
  });

  test('starts over after a desktop that did not open, with a new agent', async () => {
    const open = (signal: AbortSignal) =>
      openRecordingDesktop({ config: CONFIG, clock: systemClock, random: seeded('recording') }, signal);
    let opens = 0;
    const agents: ReturnType<typeof playing>[] = [];
    const ends = () => agents.map(({ closed }) => closed);
    const { recording, until } = recordingOf('notes-write', 0, {
      open: async signal => {
        opens += 1;
        if (opens < 3) throw new Error('Docker engine not reachable. Start it.');
        return open(signal);
      },
      pilot: {
        ...{ agent: 'scripted', mode: 'pause' },
        open: async () => {
          const agent = playing(new ScriptedAgent());
          agents.push(agent);
          return agent;
        },
      },
    });
    for (const closed of [[0], [1, 0]]) {
      expect(await until(({ phase }) => phase !== 'opening')).toMatchObject({
        phase: 'failed',
        problem: expect.stringContaining('not reachable'),
      });
      expect(ends()).toEqual(closed);
      expect(await recording.restart()).toMatchObject({ phase: 'opening' });
      expect(recording.state.problem).toBeUndefined();
    }
    expect(await until(({ phase }) => phase !== 'opening')).toMatchObject({ phase: 'acting', steps: [] });
    expect(ends()).toEqual([1, 1, 0]);
    await recording.discard();
    expect(ends()).toEqual([1, 1, 1]);
  });

  test('sends a screen once', async () => {
    const { recording, until, send } = recordingOf('notes-write');
    await until(({ phase }) => phase === 'acting');
    const { result, png } = await recording.look(0, 0);
    expect(result.picture).toEqual({ width: 320, height: 240 });
    expect(png.length).toBeGreaterThan(100);
    // The same screen again has no bytes.
    expect((await recording.look(result.frame, 0)).png).toHaveLength(0);
    await send(eventsOf({ kind: 'click', at: { x: 20, y: 20 } }));
    expect(recording.state.steps).toHaveLength(1);
  });
});
