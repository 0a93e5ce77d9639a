// One order played by an agent: turns of several actions, replies without an action, images, failures.

import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import type { Agent, AgentTask, SentImage, Turn } from '../../runtime/core/agent.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { TokensTrace } from '../../runtime/core/trace.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { Film } from '../../runtime/rollout/film.ts';
import { HandedOver } from '../../runtime/rollout/hand-overs.ts';
import { play } from '../../runtime/rollout/play.ts';
import { Stop } from '../../runtime/rollout/stop.ts';
import { desktops, FINISHED, type ModelDesktops, order, taskOf, WAIT } from './models.ts';

afterEach(() => void vi.restoreAllMocks());

/** The threads that compress frames have no memory. */
const loseFrames = () => vi.spyOn(Film.prototype, 'images').mockRejectedValue(new Error('no memory'));

const traceOf = (raw: string): TokensTrace => ({
  ...{ kind: 'tokens', tokens: [], estimator: 'none', finish: 'stop', raw, defects: [] },
  served: { endpoint: 'model', model: 'm', latencyMs: 1, retries: [] },
});

const turn = (raw: string, actions: readonly [Action, ...Action[]], images?: readonly SentImage[]): Turn => {
  const [first, ...rest] = actions;
  return {
    observation: { encoding: 'chat-1', bytes: new TextEncoder().encode(`before ${raw}`) },
    actions: [{ action: first, meant: [] }, ...rest.map(action => ({ action, meant: [] }))],
    trace: traceOf(raw),
    version: version(3),
    ...(images && { images }),
  };
};

/** An agent with these turns; it records what happens to its session. */
function agentOf(turns: readonly (Turn | Error)[]) {
  const calls: string[] = [];
  const tasks: AgentTask[] = [];
  const agent: Agent = {
    id: 'my-model',
    begin: task => {
      tasks.push(task);
      let next = 0;
      return {
        next: async () => {
          const each = turns[next++];
          calls.push('next');
          if (each === undefined || each instanceof Error) throw each ?? new Error('no turn is left');
          return each;
        },
        acted: ({ kind }) => calls.push(`acted ${kind}`),
        witnessed: async ({ kind }) => void calls.push(`witnessed ${kind}`),
        close: () => calls.push('close'),
      };
    },
  };
  return { agent, calls, tasks };
}

async function played(
  turns: readonly (Turn | Error)[],
  options: Parameters<typeof order>[1] = {},
  model: ModelDesktops = {},
) {
  const clock = new VirtualClock();
  const { cluster, log } = desktops(clock, { size: 1, ...model });
  const made = agentOf(turns);
  const lease = await cluster.lease(new AbortController().signal);
  const playing = play(
    order('o', { task: 'long', maxSteps: 5, ...options }),
    2,
    lease.desktop,
    {
      ...{ agent: made.agent, taskOf, clock, random: seeded('play') },
      sampling: { temperature: 0.7, exploration: 0 },
    },
    new Stop(new AbortController().signal).episode(),
  );
  const [trajectory] = await Promise.all([playing, clock.run()]);
  return { trajectory, ...made, log };
}

test('several actions of a turn are steps; the first has the observation and the trace', async () => {
  const { trajectory, calls, tasks } = await played([
    turn('two', [WAIT, { kind: 'type', text: 'a' }]),
    turn('last', [FINISHED]),
  ]);
  expect(tasks).toMatchObject([{ episode: 'o.2', temperature: 0.7, maxSteps: 5 }]);
  expect(trajectory.agent).toBe('my-model');
  expect(
    trajectory.steps.map(({ action, observation, chosen }) => [
      ...[action.kind, observation && new TextDecoder().decode(observation.bytes)],
      ...[chosen?.version, chosen?.trace.kind],
    ]),
  ).toEqual([
    ['wait', 'before two', 3, 'tokens'],
    ['type', undefined, 3, 'same-turn'],
    ['finished', 'before last', 3, 'tokens'],
  ]);
  expect(calls).toEqual(['next', 'acted wait', 'acted type', 'next', 'close']);
});

test('the step limit ends a turn in the middle, and its remaining actions are not performed', async () => {
  const { trajectory, log } = await played([turn('many', [WAIT, WAIT, WAIT])], { maxSteps: 2 });
  expect(trajectory.steps).toHaveLength(2);
  expect(trajectory.outcome).toMatchObject({ kind: 'judged', ending: 'capped' });
  expect(log.filter(line => line.includes('judged'))).toHaveLength(1);
});

test('a task that ends the episode drops the rest of the turn, and the episode is judged as finished', async () => {
  const { trajectory, calls, log } = await played(
    [turn('many', [WAIT, WAIT, WAIT])],
    {},
    { ends: act => act === 2 },
  );
  expect(trajectory.steps).toHaveLength(2);
  expect(trajectory.outcome).toMatchObject({ kind: 'judged', ending: 'finished' });
  expect(log.filter(line => line.includes('judged'))).toHaveLength(1);
  expect(calls).toEqual(['next', 'acted wait', 'close']);
});

test('the instruction that the desktop made is the one of the agent and of the trajectory', async () => {
  const instruction = 'Click on "Ok".';
  const { trajectory, tasks } = await played([turn('last', [FINISHED])], {}, { instruction });
  expect(tasks).toMatchObject([{ instruction }]);
  expect(trajectory.instruction).toBe(instruction);
});

test('a reply without an action is a step of the policy, not a failure', async () => {
  const none: Action = { kind: 'none', why: 'no action was found' };
  const { trajectory } = await played([turn('gibberish', [none]), turn('last', [FINISHED])]);
  expect(trajectory.outcome.kind).toBe('judged');
  expect(trajectory.steps[0]).toMatchObject({ action: none, chosen: { trace: { raw: 'gibberish' } } });
});

test('images of all turns are kept in order', async () => {
  const image = (name: string): SentImage => ({ sha256: name, png: new TextEncoder().encode(name) });
  const { trajectory } = await played([
    turn('one', [WAIT], [image('a')]),
    turn('two', [WAIT]),
    turn('three', [FINISHED], [image('b')]),
  ]);
  expect(trajectory.images?.map(({ sha256 }) => sha256)).toEqual(['a', 'b']);
});

test('a turn without a reply breaks the episode with its cause, and the steps so far are kept', async () => {
  const failure = { boundary: 'provider', thing: 'my-model', message: 'no reply' } as const;
  const { trajectory, calls } = await played([turn('one', [WAIT]), new BoundaryError(failure)]);
  expect(trajectory.outcome).toEqual({ kind: 'broken', failure });
  expect(trajectory.steps).toHaveLength(1);
  expect(calls.at(-1)).toBe('close');
});

describe('an episode whose frames cannot be compressed', () => {
  const noFrames = { kind: 'png', images: [] };

  test('breaks, and keeps its steps', async () => {
    loseFrames();
    const turns = [turn('one', [WAIT]), turn('last', [FINISHED])];
    const { trajectory } = await played(turns, {}, { renderer: '' });
    const failure = { boundary: 'environment', thing: 'd0', message: 'no memory' };
    expect(trajectory).toMatchObject({ outcome: { kind: 'broken', failure }, frames: noFrames });
    expect(trajectory.steps).toHaveLength(2);
  });

  test('names the first failure if it broke before', async () => {
    loseFrames();
    const failure = { boundary: 'provider', thing: 'my-model', message: 'no reply' } as const;
    const turns = [turn('one', [WAIT]), new BoundaryError(failure)];
    const { trajectory } = await played(turns, {}, { renderer: '' });
    expect(trajectory).toMatchObject({ outcome: { kind: 'broken', failure }, frames: noFrames });
  });
});

describe('an episode that is interrupted alone', () => {
  /** At this millisecond; a decision takes no time, an act 10 ms. */
  async function interrupted(at: number, turns: readonly Turn[], renderer = 'model-1') {
    const clock = new VirtualClock();
    const { cluster, log } = desktops(clock, { size: 1, renderer });
    const { agent, calls, tasks } = agentOf(turns);
    const lease = await cluster.lease();
    const stop = new Stop(new AbortController().signal).episode();
    clock.sleep(at).then(() => stop.end(new Error('somebody else wants it')));
    const options = { agent, taskOf, clock, random: seeded('play') };
    const sampling = { temperature: 0.7, exploration: 0 };
    const ordered = order('o', { task: 'long', maxSteps: 5 });
    const playing = play(ordered, 1, lease.desktop, { ...options, sampling }, stop);
    const ended = playing.then(
      trajectory => ({ trajectory }),
      (error: unknown) => ({ error }),
    );
    const [end] = await Promise.all([ended, clock.run()]);
    const { episode } =
      'error' in end && end.error instanceof HandedOver ? end.error : { episode: undefined };
    return { ...end, episode, calls, tasks, log };
  }
  const WAITS = turn('many', [WAIT, WAIT, WAIT, FINISHED]);

  test('rejects with what was played, after the call of the desktop and before the next one', async () => {
    const { episode, calls, log } = await interrupted(15, [WAITS]);
    expect(episode).toMatchObject({ instance: order('o', { task: 'long' }).instance, actions: [WAIT, WAIT] });
    expect(episode).toMatchObject({ instruction: 'Do long.', screen: { pixels: { width: 1 } } });
    expect(episode).not.toHaveProperty('images');
    expect(calls).toEqual(['next', 'acted wait', 'acted wait', 'close']);
    expect(log.filter(line => line.includes('judged'))).toEqual([]);
  });

  test('has a picture of each screen if they cannot be redrawn', async () => {
    const { episode } = await interrupted(15, [WAITS], '');
    expect(episode?.images).toHaveLength(3);
  });

  test('breaks if its pictures cannot be compressed', async () => {
    loseFrames();
    const { episode, ...end } = await interrupted(15, [WAITS], '');
    expect(episode).toBeUndefined();
    expect(end).toMatchObject({
      trajectory: { outcome: { kind: 'broken', failure: { message: 'no memory' } } },
    });
  });

  test('starts first, so that there is a screen', async () => {
    const { episode, calls } = await interrupted(0, [WAITS]);
    expect(episode?.actions.length).toBeLessThanOrEqual(1);
    expect(calls.at(-1)).toBe('close');
  });

  test('tells the agent to abandon its request', async () => {
    const { tasks } = await interrupted(15, [WAITS]);
    expect(tasks[0]?.signal.aborted).toBe(true);
  });

  test('that has ended by then is complete', async () => {
    const { episode, ...end } = await interrupted(35, [WAITS]);
    expect(episode).toBeUndefined();
    expect(end).toMatchObject({ trajectory: { outcome: { kind: 'judged', ending: 'finished' } } });
  });
});
