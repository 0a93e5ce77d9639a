// Episodes over stored trajectories: patches, ends, scores, and the history of the agent.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import type { Agent } from '../../../runtime/core/agent.ts';
import { desktopId, groupId, orderId, runId, version } from '../../../runtime/core/ids.ts';
import { key } from '../../../runtime/core/key.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Screen } from '../../../runtime/core/screen.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { openOffline } from '../../../runtime/environments/offline/open-offline.ts';
import { play } from '../../../runtime/rollout/play.ts';
import { Stop } from '../../../runtime/rollout/stop.ts';
import { shown, sourceOf } from './experts.ts';

const click = (x: number): Action => ({ kind: 'click', at: { x, y: 10 } });
const type = (text: string): Action => ({ kind: 'type', text });
const NONE: Action = { kind: 'none', why: 'unreadable' };
const FINISHED: Action = { kind: 'finished', answer: '' };
const EXPERT = [click(10), type('abc'), click(90), FINISHED];

type Turn = readonly [Action, ...Action[]];

/** An agent with these turns, and what it saw and remembers. */
function agentOf(turns: readonly Turn[]) {
  const seen: (number | undefined)[] = [];
  const remembered: string[] = [];
  const agent: Agent = {
    id: 'my-model',
    begin: () => {
      let next = 0;
      return {
        next: async (screen: Screen) => {
          seen.push(shown(screen));
          const [first, ...rest] = turns[next++] ?? [NONE];
          return {
            observation: { encoding: 'test', bytes: new Uint8Array([next]) },
            actions: [{ action: first, meant: [] }, ...rest.map(action => ({ action, meant: [] }))],
            trace: { kind: 'heads', decisions: [] },
            version: version(1),
          };
        },
        acted: ({ kind }) => remembered.push(kind),
        witnessed: async ({ kind }, before, after) => {
          remembered.push(`${kind} of the expert, ${shown(before)} to ${shown(after)}`);
        },
        close: () => undefined,
      };
    },
  };
  return { agent, seen, remembered };
}

async function played(
  turns: readonly Turn[],
  {
    actions = EXPERT,
    patches = 2,
    purpose = 'train' as 'train' | 'evaluate',
    lastScreen = true,
    maxSteps = 20,
  } = {},
) {
  const provider = openOffline({
    ...{ source: sourceOf({ one: actions }, { lastScreen }), patches },
    health: () => undefined,
  });
  const { suite } = provider;
  const [template] = suite.templates;
  const desktop = await provider.make(desktopId('d0'));
  const made = agentOf(turns);
  const seed = suite.seed('train', 0);
  const instance = { task: suite.task(template?.id ?? '', seed).id, seed };
  const trajectory = await play(
    {
      ...{ id: orderId('o'), run: runId('r'), group: groupId('g'), instance, mode: 'screenshot', maxSteps },
      ...(purpose === 'train' ? { purpose } : { purpose, version: version(1) }),
    },
    1,
    desktop,
    {
      agent: made.agent,
      taskOf: each => suite.task(each.task, each.seed),
      ...{ clock: new VirtualClock(), random: seeded('offline') },
      sampling: { temperature: 1, exploration: 0 },
    },
    new Stop(new AbortController().signal).episode(),
  );
  const { outcome } = trajectory;
  const score = outcome.kind === 'judged' ? outcome.verdict.score : undefined;
  return { ...made, trajectory, score, matches: trajectory.steps.map(({ match }) => match) };
}

describe('an agent that does what the expert did', () => {
  test('sees its screens and solves the task', async () => {
    const { score, seen, matches, remembered } = await played([
      [click(11)],
      [type('ABC')],
      [click(90)],
      [FINISHED],
    ]);
    expect(score).toBe(1);
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(matches).toEqual([0, 1, 2, 3].map(step => ({ step, score: 1 })));
    expect(remembered).toEqual(['click', 'type', 'click']);
  });

  test('may type a text in parts, on the same screen', async () => {
    const { score, seen, matches } = await played([
      [click(10)],
      [type('a')],
      [type('bc')],
      [click(90)],
      [FINISHED],
    ]);
    expect(score).toBe(1);
    expect(seen).toEqual([0, 1, 1, 2, 3]);
    expect(matches.map(match => match?.step)).toEqual([0, 1, 1, 2, 3]);
  });

  test('may type a text and the Enter that the expert pressed apart, at once', async () => {
    const actions: readonly Action[] = [type('abc'), { kind: 'hotkey', keys: [key('enter')] }, FINISHED];
    const { score, seen } = await played([[type('abc\n')], [FINISHED]], { actions: [...actions] });
    expect(score).toBe(1);
    expect(seen).toEqual([0, 2]);
  });

  test('solves a trajectory that has no action at its end with the last one, with or without a last screen', async () => {
    for (const lastScreen of [true, false]) {
      const { score, trajectory } = await played([[click(10), click(90)]], {
        ...{ actions: [click(10), click(90)], lastScreen },
      });
      expect(score).toBe(1);
      expect(trajectory.outcome).toMatchObject({ kind: 'judged', ending: 'finished' });
    }
  });
});

describe('another action in training', () => {
  test('is replaced, its step keeps it, and the agent remembers the one of the expert', async () => {
    const { score, seen, trajectory, matches, remembered } = await played([
      ...([[click(50)], [type('abc')], [click(90)], [FINISHED]] as const),
    ]);
    expect(score).toBe(3 / 4);
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(trajectory.steps[0]?.action).toEqual(click(50));
    expect(matches.map(match => match?.score)).toEqual([0.5, 1, 1, 1]);
    expect(remembered).toEqual(['click of the expert, 0 to 1', 'type', 'click']);
  });

  test('drops the rest of its turn', async () => {
    const { matches, seen } = await played([
      [type('x'), type('abc')],
      [type('abc')],
      [click(90)],
      [FINISHED],
    ]);
    expect(matches.map(match => match?.score)).toEqual([0.1, 1, 1, 1]);
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  test('ends the episode when the patches are used up', async () => {
    const { score, matches, trajectory } = await played([[click(50)], [NONE], [click(50)], [FINISHED]]);
    expect(matches).toEqual([
      ...[
        { step: 0, score: 0.5 },
        { step: 1, score: 0 },
        { step: 2, score: 0.5 },
      ],
    ]);
    expect(score).toBe(0);
    expect(trajectory.outcome).toMatchObject({
      verdict: { why: "0 of 4 actions as the expert's, 2 replaced" },
    });
  });

  test('as well when it replies without an action', async () => {
    const { matches, trajectory } = await played([[NONE], [FINISHED]], { patches: 0 });
    expect(matches).toEqual([{ step: 0, score: 0 }]);
    expect(trajectory.outcome).toMatchObject({ kind: 'judged', verdict: { score: 0 } });
  });

  test('is replaced when it ends the episode too early, and when it does not end it', async () => {
    const early = await played([[FINISHED], [type('abc')], [click(90)], [FINISHED]]);
    expect(early.score).toBe(3 / 4);
    const late = await played([[click(10)], [type('abc')], [click(90)], [click(1)]]);
    expect(late.score).toBe(3 / 4);
    expect(late.matches.at(-1)).toEqual({ step: 3, score: 0.1 });
  });

  test('after a part of a text is replaced by the whole text', async () => {
    const { score, seen } = await played([[click(10)], [type('a')], [click(1)], [click(90)], [FINISHED]]);
    expect(seen).toEqual([0, 1, 1, 2, 3]);
    expect(score).toBe(3 / 4);
  });
});

describe('an evaluation', () => {
  test('ends at the first difference, and its score is the share until then', async () => {
    const { score, matches } = await played([[click(10)], [click(1)], [click(90)]], { purpose: 'evaluate' });
    expect(score).toBe(1 / 4);
    expect(matches).toHaveLength(2);
  });

  test('does not count an end that the agent did not choose', async () => {
    const { score } = await played([[click(10)], [type('abc')], [click(90)], [click(1)]], {
      purpose: 'evaluate',
    });
    expect(score).toBe(3 / 4);
  });

  test('ends with the step limit of the order', async () => {
    const { trajectory } = await played([[click(10)], [type('abc')]], { maxSteps: 2 });
    expect(trajectory.outcome).toMatchObject({ ending: 'capped', verdict: { score: 2 / 4 } });
  });
});
