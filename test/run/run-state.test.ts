// The state of a run, collected from events.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../runtime/core/event.ts';
import { seed, taskId, version } from '../../runtime/core/ids.ts';
import { RUN_STATUS, runState } from '../../runtime/protocol/daemon/state.ts';
import { type Played, RunStateTracker } from '../../runtime/run/run-state.ts';
import { judged } from '../data/trajectories.ts';

const POINT = {
  successes: 1,
  trials: 2,
  rate: 0.5,
  low: 0.1,
  high: 0.9,
  seconds: 3,
  steps: 30,
  split: 'test',
  version: 1,
} as const;
const BOOKS = { submitted: 6, accepted: 1, filtered: 1, dropped: 1, failed: 1, running: 2 };

const gauge = (played: Played = { episodes: 100, steps: 1000 }, isShared = false, evaluations = 1) =>
  new RunStateTracker({
    run: 'run',
    startedAt: 7,
    of: 60,
    about: { preset: 'scratch', mode: 'a11y_tree', seed: 's', tiers: [1], tasks: 2 },
    tasks: [
      { task: 'one', tier: 1 },
      { task: 'other', tier: 1 },
    ],
    ...{ curve: [POINT], evaluations },
    played,
    desktops: 10,
    isShared,
  });

const stateOf = (one: RunStateTracker, status: (typeof RUN_STATUS)[number] = 'running', message?: string) =>
  one.state({ status, message, seconds: 5, version: version(4), books: BOOKS, at: 0 });

const metric = (name: string, value: number, at = 0): Event => ({
  module: 'rollout',
  at,
  kind: 'metric',
  name,
  value,
});
const waits = (reason: string | undefined, since = 0): Event => ({
  module: 'trainer',
  at: 50,
  since,
  kind: 'waiting',
  reason,
});
const problem = (message: string, healthy = false): Event => ({
  ...{ module: 'data', at: 3, kind: 'health', thing: 'disk', healthy, message },
});

const event: fc.Arbitrary<Event> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        ...['env/occupancy', 'env/stepping', 'env/broken', 'rollout/workers', 'rollout/utilisation'],
        ...[
          'rollout/episodes',
          'rollout/all_steps',
          'queue/depth/orders',
          'off_policy/mean',
          'trainer/updates',
        ],
        ...['trainer/idle_ratio', 'data/kept_steps', 'data/trainable_groups', 'success/one', 'anything'],
        ...['data/imitated_share', 'data/person_transfer_share'],
      ),
      fc.oneof(fc.double({ min: -2, max: 1e6 }), fc.constant(Number.NaN)),
      fc.nat(100_000),
    )
    .map(([name, value, at]) =>
      metric(name, name.startsWith('success') ? Math.min(1, Math.abs(value)) : value, at),
    ),
  fc.option(fc.string(), { nil: undefined }).map(reason => waits(reason)),
  fc.tuple(fc.string(), fc.boolean()).map(([message, healthy]) => problem(message, healthy)),
  fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('serving', 'draining', 'updating', 'failed', 'out')).map(
    ([since, promptTokens, phase]): Event => ({
      ...{ module: 'rollout', at: since, kind: 'servers', since },
      servers: [{ name: 'disk', phase, inFlight: promptTokens, replies: 0 }],
      spent: { promptTokens, completionTokens: since, money: promptTokens / 7 },
    }),
  ),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([since, step]): Event => ({
      ...{ module: 'trainer', at: since, kind: 'learner', since },
      ...{ learner: { kind: 'file', place: 'rows', model: 'm', step }, hardwareSeconds: step / 3 },
    }),
  ),
);

test('any events give a state that its schema accepts', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 100 }), fc.constantFrom(...RUN_STATUS), (events, status) => {
      const one = gauge();
      for (const each of events) one.hear(each);
      expect(() => runState.parse(stateOf(one, status))).not.toThrow();
    }),
  );
});

test('the state of a week of evaluations stays small, and every point is known to the files', () => {
  const one = gauge();
  for (let seconds = 4; seconds < 20_004; seconds++) one.addEvaluation({ ...POINT, seconds });
  const { curve } = stateOf(one);
  expect(JSON.stringify(curve).length).toBeLessThan(200_000);
  expect([curve[0]?.seconds, curve.at(-1)?.seconds]).toEqual([3, 20_003]);
  expect(one.measured).toMatchObject({ before: 0, points: { length: 20_001 } });
});

test('after a resume with a thinned curve, only new points are known to the files', () => {
  const one = gauge(undefined, false, 500);
  one.addEvaluation({ ...POINT, seconds: 9 });
  expect(stateOf(one).curve.map(({ seconds }) => seconds)).toEqual([3, 9]);
  expect(one.measured).toMatchObject({ before: 500, points: [{ seconds: 9 }] });
});

test('new evaluations follow those before a resume, and rollouts count per task', () => {
  const one = gauge();
  one.addEvaluation({ ...POINT, seconds: 9 });
  for (const [task, purpose] of [
    ['one', 'train'],
    ['one', 'train'],
    ['one', 'evaluate'],
    ['other', 'demonstrate'],
  ] as const)
    one.addTrajectory({ purpose, instance: { task: taskId(task), seed: seed(1) }, outcome: judged(1) });
  one.hear(metric('success/one', 0.25));
  const state = stateOf(one);
  expect(state.curve.map(({ seconds }) => seconds)).toEqual([3, 9]);
  expect(state.tasks).toEqual([
    { task: 'one', tier: 1, rate: 0.25, rollouts: 2 },
    { task: 'other', tier: 1, rollouts: 0 },
  ]);
  expect(state).toMatchObject({ seconds: 5, of: 60, data: { books: BOOKS }, trainer: { version: 4 } });
});

test('a run with a model agent has its learner, its servers and its cost, and resumes with the cost', () => {
  const one = gauge();
  const since = 2;
  one.hear({
    ...{ module: 'rollout', at: 9, kind: 'servers', since },
    servers: [{ name: 'tars.1', phase: 'serving', inFlight: 3, replies: 8, latencyMs: 700 }],
    spent: { promptTokens: 600, completionTokens: 400 },
  });
  one.hear({
    ...{ module: 'trainer', at: 9, kind: 'learner', since },
    ...{ learner: { kind: 'tinker', place: 'http://gpu:8000', model: 'm', step: 5 } },
  });
  one.hear(metric('queue/depth/batches', 2));
  one.addTrajectory({
    purpose: 'train',
    instance: { task: taskId('one'), seed: seed(1) },
    outcome: judged(1),
  });
  one.addEvaluation({ ...POINT, rate: 0.75 });
  const state = runState.parse(stateOf(one));
  expect(state).toMatchObject({
    learner: { place: 'http://gpu:8000', step: 5, batches: 2 },
    servers: [{ name: 'tars.1', inFlight: 3 }],
    spent: { successes: 1, points: 25, perSuccess: { tokens: 1000 }, perPoint: { tokens: 40 } },
  });
  expect(one.spent).toEqual({ promptTokens: 600, completionTokens: 400, successes: 1 });
  expect(gauge().spent).toBeUndefined();
});

test('metrics have the last finite value of each name', () => {
  const one = gauge();
  for (const value of [3, 5, Number.NaN]) one.hear(metric('rollout/episodes', value));
  one.hear(metric('env/broken', 0.2));
  expect(one.metrics(0)).toEqual({ 'rollout/episodes': 5, 'env/broken': 0.2 });
  expect(stateOf(one)).toMatchObject({ rollout: { episodes: 105 }, environments: { broken: 2 } });
});

test('rollouts continue to count after a resume and after a restart of the host', () => {
  const one = gauge();
  expect(one.played).toEqual({ episodes: 100, steps: 1000, rollouts: {} });
  for (const value of [0, 7, 0, 2]) one.hear(metric('rollout/all_steps', value));
  const instance = { task: taskId('one'), seed: seed(1) };
  const came = { purpose: 'train', instance, outcome: judged(1) } as const;
  one.addTrajectory(came);
  expect(one.played).toEqual({ episodes: 100, steps: 1009, rollouts: { one: 1 } });
  const next = gauge(one.played);
  next.addTrajectory(came);
  expect(stateOf(next).tasks.map(({ rollouts }) => rollouts)).toEqual([2, 0]);
});

describe('waiting', () => {
  test('lasts from the time that the module reports until its reason changes or ends', () => {
    const one = gauge();
    one.hear(waits('a batch', 10));
    one.hear(waits('a batch', 10));
    expect(stateOf(one).waiting).toEqual([{ module: 'trainer', reason: 'a batch', since: 10 }]);
    one.hear(waits('a lesson', 30));
    expect(stateOf(one).waiting).toEqual([{ module: 'trainer', reason: 'a lesson', since: 30 }]);
    one.hear(waits(undefined, 40));
    expect(stateOf(one).waiting).toEqual([]);
  });

  test.each(['ended', 'failed'] as const)('is empty when the run has %s', status => {
    const one = gauge();
    one.hear(waits('a batch'));
    expect(stateOf(one, status).waiting).toEqual([]);
    expect(stateOf(one, 'stopping').waiting).toHaveLength(1);
  });
});

test('the state lists the latest problems, and a recovery is none', () => {
  const one = gauge();
  for (let number = 0; number < 60; number++) one.hear(problem(`${number}`));
  one.hear(problem('works again', true));
  const { problems } = stateOf(one);
  expect(problems).toHaveLength(50);
  expect(problems.at(-1)).toEqual({ thing: 'disk', message: '59', at: 3 });
});

test('equal problems are counted and moved to the end', () => {
  const tracker = gauge();
  for (const [at, message] of ['full', 'other', 'full', 'full'].entries())
    tracker.hear({ module: 'data', at, kind: 'health', thing: 'disk', healthy: false, message });
  expect(stateOf(tracker).problems).toEqual([
    { thing: 'disk', message: 'other', at: 1 },
    { thing: 'disk', message: 'full', at: 3, count: 3 },
  ]);
});

describe('a run over several machines', () => {
  const joined = (event: Event): Event => ({ ...event, host: 'tower' });
  const reported: Event = {
    ...{ module: 'rollout', at: 0, kind: 'host', phase: 'playing', version: '1' },
    ...{ desktops: 5, playing: 4, workers: 2 },
  };

  test('has the sums over its hosts, and lists them', () => {
    const one = gauge(undefined, true);
    expect(runState.parse(stateOf(one)).hosts).toEqual([]);
    for (const event of [reported, joined(reported)]) one.hear(event);
    for (const [name, value] of [
      ['rollout/all_steps', 20],
      ['rollout/episodes', 2],
      ['rollout/workers', 3],
    ] as const) {
      one.hear(metric(name, value));
      one.hear(joined(metric(name, 2 * value)));
    }
    const state = runState.parse(stateOf(one));
    expect(state).toMatchObject({
      environments: { desktops: 15 },
      rollout: { steps: 1060, episodes: 106, workers: 9 },
      hosts: [
        { name: 'local', isLocal: true, steps: 20 },
        { name: 'tower', isLocal: false, steps: 40 },
      ],
    });
    expect(one.played).toMatchObject({ steps: 1060, episodes: 106 });
  });

  test('names the host of a problem, and does not wait when a joined host waits', () => {
    const one = gauge(undefined, true);
    one.hear(joined(problem('full')), 9);
    one.hear(
      joined({
        ...{ module: 'environments', at: 3, kind: 'health' },
        thing: 'tower-d1',
        healthy: false,
        message: 'hangs',
      }),
    );
    one.hear(joined(waits('an order')));
    expect(stateOf(one)).toMatchObject({
      problems: [
        { thing: 'disk of tower', message: 'full', at: 9 },
        { thing: 'tower-d1', message: 'hangs' },
      ],
      waiting: [],
    });
  });

  test('names the machine of a wait while a joined host plays', () => {
    const one = gauge(undefined, true);
    const modules = (): readonly string[] => stateOf(one).waiting.map(({ module }) => module);
    for (const module of ['rollout', 'trainer'] as const) one.hear({ ...waits('an end'), module });
    expect(modules()).toEqual(['rollout', 'trainer']);
    one.hear(joined(reported));
    expect(modules()).toEqual(["rollout on the daemon's machine", 'trainer']);
    one.hear(joined({ ...reported, phase: 'left' }));
    expect(modules()).toEqual(['rollout', 'trainer']);
  });

  test('on one machine there is no list', () => {
    expect(stateOf(gauge())).not.toHaveProperty('hosts');
  });
});
