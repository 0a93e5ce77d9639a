// One episode on one desktop: actions, end, frames.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { desktopId, seed } from '../../runtime/core/ids.ts';
import type { Screen } from '../../runtime/core/screen.ts';
import { isInfeasible, type Task } from '../../runtime/core/task.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { startOf } from '../../runtime/environments/pocket/getters.ts';
import { ScriptedUser } from '../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { Episode, type EpisodeOptions } from '../../runtime/rollout/episode.ts';

const WAIT: Action = { kind: 'wait' };
const FINISHED: Action = { kind: 'finished', answer: '' };
const FAIL: Action = { kind: 'fail', why: '' };

const instance = (id: string, number = 0): Task => POCKET.task(id, seed(number));
const infeasible = POCKET.templates.map(({ id }) => instance(id)).find(task => isInfeasible(task));

const start = (task: Task, more: Partial<EpisodeOptions> = {}): Promise<Episode> =>
  Episode.start(new PocketDesktop(desktopId('episode')), {
    ...{ task, seed: seed(0), maxSteps: 30 },
    ...more,
  });

function solution(task: Task): readonly Action[] {
  const hand = new ScriptedUser(startOf(task).machine);
  POCKET.instance(task.id, 0).solve(hand);
  return hand.actions.filter(({ kind }) => kind !== 'finished' && kind !== 'fail');
}

async function play(task: Task, actions: readonly Action[], more: Partial<EpisodeOptions> = {}) {
  const episode = await start(task, more);
  for (const action of actions) if (episode.end === undefined) await episode.act(action);
  return episode;
}

/** A desktop whose task ends the episode after so many actions, and may make its instruction. */
function endingAfter(count: number, instruction?: string): Desktop {
  const desktop = new PocketDesktop(desktopId('ending'));
  let acted = 0;
  const marked = (screen: Screen): Screen => ({ ...screen, ...(acted >= count && { isOver: true }) });
  return {
    id: desktop.id,
    reset: async (task, number) => {
      acted = 0;
      const first = marked(await desktop.reset(task, number));
      return { ...first, ...(instruction !== undefined && { instruction }) };
    },
    act: async action => {
      acted += 1;
      return marked(await desktop.act(action));
    },
    query: getter => desktop.query(getter),
    setup: step => desktop.setup(step),
    judge: ending => desktop.judge(ending),
    close: () => desktop.close(),
  };
}

describe('an episode', () => {
  test('runs until its last action, and keeps all actions', async () => {
    const task = instance('settings-theme');
    const episode = await start(task);
    expect(episode.end).toBeUndefined();
    for (const action of solution(task)) {
      await episode.act(action);
      expect(episode.end).toBeUndefined();
    }
    await episode.act(FINISHED);
    expect(episode.end).toMatchObject({ ending: 'finished', verdict: { score: 1 } });
    expect(episode.actions).toEqual([...solution(task), FINISHED]);
  });

  test('is judged at a finished or fail that comes too early', async () => {
    const task = instance('settings-theme');
    expect((await play(task, [FINISHED])).end).toMatchObject({ ending: 'finished', verdict: { score: 0 } });
    expect((await play(task, [FAIL])).end).toMatchObject({ ending: 'fail', verdict: { score: 0 } });
  });

  test.each([Number.NaN, -1, 7])('breaks at the impossible score %s', async score => {
    const desktop: Desktop = new PocketDesktop(desktopId('episode'));
    desktop.judge = async () => ({ score, why: 'a lie' });
    const task = instance('mail-star');
    const episode = await Episode.start(desktop, { task, seed: seed(0), maxSteps: 30 });
    await expect(episode.act(FINISHED)).rejects.toThrow('Invalid score');
    expect(episode.end).toBeUndefined();
  });

  test('is capped at its step limit, and judged', async () => {
    const task = instance('settings-theme');
    const capped = await play(task, Array(50).fill(WAIT), { maxSteps: 4 });
    expect(capped.actions).toHaveLength(4);
    expect(capped.end).toMatchObject({ ending: 'capped', verdict: { score: 0 } });
    const steps = solution(task);
    expect((await play(task, steps, { maxSteps: steps.length })).end).toMatchObject({
      ending: 'capped',
      verdict: { score: 1 },
    });
  });

  test('ends with finished also on its last step', async () => {
    const ended = (await play(instance('settings-theme'), [WAIT, WAIT, FINISHED], { maxSteps: 3 })).end;
    expect(ended?.ending).toBe('finished');
  });

  test('of an infeasible task succeeds with fail alone, and never at its step limit', async () => {
    if (infeasible === undefined) throw new Error('The suite has no task that cannot be done.');
    expect((await play(infeasible, [WAIT, FAIL])).end).toMatchObject({
      ending: 'fail',
      verdict: { score: 1 },
    });
    expect((await play(infeasible, [WAIT, FINISHED])).end?.verdict.score).toBe(0);
    const capped = await play(infeasible, [WAIT, WAIT], { maxSteps: 2 });
    expect(capped.end).toMatchObject({ ending: 'capped', verdict: { score: 0 } });
  });

  test('counts a reply without an action as a step, and changes nothing', async () => {
    const task = instance('settings-theme');
    const none: Action = { kind: 'none', why: 'unreadable' };
    const episode = await start(task, { maxSteps: 2 });
    const { screen } = episode;
    await episode.act(none);
    expect(episode.screen).toBe(screen);
    await episode.act(none);
    expect(episode.end).toMatchObject({ ending: 'capped', verdict: { score: 0 } });
  });

  test('ends when the task ends it, also on its last step, and is judged as finished', async () => {
    const task = instance('settings-theme');
    for (const maxSteps of [3, 30]) {
      const episode = await Episode.start(endingAfter(3), { task, seed: seed(0), maxSteps });
      for (let count = 0; count < 2; count++) await episode.act(WAIT);
      expect(episode.end).toBeUndefined();
      await episode.act(WAIT);
      expect(episode.end).toMatchObject({ ending: 'finished', verdict: { score: 0 } });
    }
  });

  test('of a task that is over before the first action is the fault of the task', async () => {
    const options = { task: instance('settings-theme'), seed: seed(0), maxSteps: 3 };
    await expect(Episode.start(endingAfter(0), options)).rejects.toMatchObject({
      failure: { boundary: 'task', thing: 'settings-theme' },
    });
  });

  test('has the instruction of the options, else of the desktop, else of the task', async () => {
    const options = { task: instance('mail-forward'), seed: seed(0), maxSteps: 3 };
    const generating = endingAfter(3, 'Forward it.');
    expect(await Episode.start(generating, options)).toMatchObject({
      ...{ instruction: 'Forward it.', isJudged: true },
    });
    expect(await Episode.start(generating, { ...options, instruction: 'Do nothing.' })).toMatchObject({
      ...{ instruction: 'Do nothing.', isJudged: false },
    });
  });

  test('has the instruction of the task, or of the options', async () => {
    const task = instance('mail-forward');
    expect((await start(task)).instruction).toBe(task.instruction);
    expect((await start(task, { instruction: 'Do nothing.' })).instruction).toBe('Do nothing.');
  });
});
