// The learner, the servers and the cost of a run, collected from events.

import { describe, expect, test } from 'vitest';
import type { Event, LearnerReport, ServerReport, ServersReport } from '../../runtime/core/event.ts';
import { ModelRunTracker } from '../../runtime/run/model-run-tracker.ts';
import { spentTokens } from '../../runtime/run/spending.ts';
import { BROKEN, judged } from '../data/trajectories.ts';

const LEARNER = { kind: 'tinker', place: 'http://gpu:8000', model: 'm', step: 3 } as const;
const SERVER: ServerReport = {
  name: 'tars.1',
  phase: 'serving',
  version: 3,
  inFlight: 2,
  replies: 9,
  latencyMs: 500,
};

const learner = (changes: Partial<LearnerReport> = {}): Event => ({
  ...{ module: 'trainer', at: 10, kind: 'learner' },
  ...{ since: 1, learner: LEARNER, ...changes },
});
const servers = (all: readonly ServerReport[], spent: ServersReport['spent'], since = 1): Event => ({
  ...{ module: 'rollout', at: 10, kind: 'servers' },
  ...{ since, servers: all, spent },
});
const health = (module: 'trainer' | 'rollout', at: number, thing: string, why?: string): Event => ({
  ...{ module, at, kind: 'health', thing, healthy: why === undefined, message: why ?? 'works again' },
});

const stateOf = (tracker: ModelRunTracker, isOver = false) =>
  tracker.state({ curve: [], batches: 2, isOver });
const heard = (...events: readonly Event[]): ModelRunTracker => {
  const tracker = new ModelRunTracker(undefined);
  for (const event of events) tracker.hear(event);
  return tracker;
};

test('a run of the built-in policy has nothing of it', () => {
  const tracker = heard(health('trainer', 5, 'the trainer', 'it ended'));
  tracker.addTrajectory({ purpose: 'train', outcome: judged(1) });
  expect(stateOf(tracker)).toEqual({});
  expect(tracker.spending).toBeUndefined();
});

test('the state has the last report of the learner, and the batches that wait for it', () => {
  const last = { ...LEARNER, step: 4, stepSeconds: 14.2 };
  expect(stateOf(heard(learner(), learner({ learner: last }))).learner).toEqual({ ...last, batches: 2 });
});

describe('a problem of the trainer', () => {
  const broken = health('trainer', 20, 'the trainer', 'The server is away.');
  const problemOf = (...events: readonly Event[]) =>
    stateOf(heard(learner(), broken, ...events)).learner?.problem;

  test('is that of the learner until it works again', () => {
    expect(problemOf()).toBe('the trainer: The server is away.');
    expect(problemOf(learner({ steppedAt: 19 }))).toBe('the trainer: The server is away.');
    expect(problemOf(health('trainer', 21, 'masks'))).toBe('the trainer: The server is away.');
    expect(problemOf(health('trainer', 21, 'the trainer'))).toBeUndefined();
  });

  test('ends with the next optimiser step, also if the report of its end was lost', () => {
    expect(problemOf(learner({ steppedAt: 21 }))).toBeUndefined();
  });
});

describe('servers', () => {
  const down: ServerReport = { ...SERVER, name: 'tars.2', phase: 'failed' };
  const spent = { promptTokens: 1, completionTokens: 1 };

  const problemsOf = (...events: readonly Event[]) =>
    stateOf(heard(...events)).servers?.map(({ problem }) => problem);

  test('have their last problem until they work again', () => {
    const events = [
      health('rollout', 1, 'tars.1', 'It was away.'),
      health('rollout', 1, 'tars.1'),
      health('rollout', 2, 'tars.2', 'It is slow.'),
      health('rollout', 3, 'tars.2', 'It is away.'),
      servers([SERVER, down], spent),
    ];
    expect(stateOf(heard(...events)).servers).toEqual([SERVER, { ...down, problem: 'It is away.' }]);
  });

  describe('that serve old weights', () => {
    const why = 'It did not load version 4 of the weights: No such folder.';
    const failed = [servers([SERVER], spent), health('rollout', 1, 'tars.1', why), servers([SERVER], spent)];

    test('have the reason until they load new ones', () => {
      expect(problemsOf(...failed)).toEqual([why]);
      expect(problemsOf(...failed, health('rollout', 2, 'tars.1'))).toEqual([undefined]);
    });

    test('lose the reason with the next version, also if the report of it was lost', () => {
      expect(problemsOf(...failed, servers([{ ...SERVER, version: 5 }], spent))).toEqual([undefined]);
    });
  });

  test('that are down lose their problem when they serve, also if the report of it was lost', () => {
    const broken = health('rollout', 1, 'tars.2', 'It is away.');
    const up: ServerReport = { ...down, phase: 'serving' };
    expect(problemsOf(broken, servers([down], spent), servers([up], spent))).toEqual([undefined]);
  });

  test('lose their problem when another process reports them', () => {
    const broken = health('rollout', 1, 'tars.1', 'It is away.');
    expect(problemsOf(servers([SERVER], spent, 1), broken, servers([SERVER], spent, 2))).toEqual([undefined]);
  });

  test('keep a problem that the other process reported before its first list of servers', () => {
    const broken = health('rollout', 2, 'tars.2', 'It is away.');
    expect(problemsOf(servers([down], spent, 1), broken, servers([down], spent, 2))).toEqual(['It is away.']);
  });

  test('of a run that is over have no requests in flight', () => {
    const tracker = heard(servers([SERVER], spent));
    expect(stateOf(tracker, true).servers).toEqual([{ ...SERVER, inFlight: 0 }]);
  });
});

describe('the cost', () => {
  const spent = { promptTokens: 100, completionTokens: 10, money: 0.5 };

  test('continues after a host or a trainer was replaced, and after a resume', () => {
    const tracker = heard(
      servers([], spent, 1),
      servers([], spent, 1),
      servers([], { ...spent, promptTokens: 900 }, 2),
    );
    for (const each of [
      learner({ hardwareSeconds: 3, money: 0.25 }),
      learner({ since: 2, hardwareSeconds: 4, money: 0.25 }),
    ])
      tracker.hear(each);
    const so = {
      promptTokens: 1000,
      completionTokens: 20,
      money: 1,
      learnerMoney: 0.5,
      hardwareSeconds: 7,
      successes: 0,
    };
    expect(tracker.spending).toEqual(so);
    const resumed = new ModelRunTracker(so);
    expect(resumed.spending).toEqual(so);
    expect(stateOf(resumed).spent).toEqual({ ...so, money: 1.5 });
    // The limits of an agent count its requests, before and after a resume.
    expect(spentTokens(so)).toEqual({ promptTokens: 1000, completionTokens: 20, money: 1 });
    resumed.hear(servers([], spent, 3));
    expect(resumed.spending).toEqual({ ...so, promptTokens: 1100, completionTokens: 30, money: 1.5 });
  });

  test('has no amount that nobody reports', () => {
    const { money: _, ...tokens } = spent;
    expect(heard(servers([], tokens), learner()).spending).toEqual({ ...tokens, successes: 0 });
  });

  test('counts successful training rollouts alone', () => {
    const tracker = heard(servers([], spent));
    tracker.addTrajectory({ purpose: 'train', outcome: judged(1) });
    tracker.addTrajectory({ purpose: 'train', outcome: judged(0.5) });
    tracker.addTrajectory({ purpose: 'train', outcome: BROKEN });
    tracker.addTrajectory({ purpose: 'evaluate', outcome: judged(1) });
    expect(tracker.spending?.successes).toBe(1);
  });
});
