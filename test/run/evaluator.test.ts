// When a run is evaluated, with which weights, and that a stop ends an evaluation at any time.

import { expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { runId, taskId, trajectoryId, version } from '../../runtime/core/ids.ts';
import { pinnedVersion } from '../../runtime/core/order.ts';
import type { Outcome } from '../../runtime/core/verdict.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { Evaluations } from '../../runtime/data/evaluation.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { runState } from '../../runtime/protocol/daemon/state.ts';
import { RunEvaluator } from '../../runtime/run/evaluator.ts';
import { BROKEN, judged, step, trajectory } from '../data/trajectories.ts';

/** A run of a minute, measured every ten seconds; an episode takes so many milliseconds. */
function measuring({
  before = 0,
  takes = 100,
  outcome = (_isTest: boolean): Outcome => judged(1),
  isDiskFull = (): boolean => false,
  /** The version that decides, by the one that was asked for. */
  played = (asked: number): number => asked,
} = {}) {
  const clock = new VirtualClock();
  const fabric = embeddedFabric();
  const evaluations = new Evaluations({
    run: runId('run'),
    fabric: { orders: fabric.evaluations, events: fabric.events },
    mode: 'a11y_tree',
    maxStepsOf: () => 5,
    maxOpenOrders: 2,
    clock,
  });
  const points: string[] = [];
  const problems: string[] = [];
  const kept: number[] = [];
  const pinned: (number | undefined)[] = [];
  const now = { isRunning: true };
  const config = parseConfig({ minutes: 1, evaluation: { everySeconds: 10, instances: 2 } });
  const one = new RunEvaluator({
    ...{ config, suite: POCKET, tasks: [taskId('settings-theme')], fabric, evaluations, clock, before },
    keepWeights: async mean => {
      if (isDiskFull()) throw new Error('The disk is full.');
      kept.push(mean[0] ?? -1);
    },
    progress: {
      trainedSeconds: () => clock.now() / 1000,
      trainedSteps: () => clock.now() / 10,
      isRunning: () => now.isRunning,
      evaluated: async point => {
        const { seconds, steps, split, version: by, successes, trials } = point;
        // Clients must be able to parse it.
        expect(runState.shape.curve.parse(JSON.parse(JSON.stringify([point])))).toEqual([point]);
        expect(steps).toBe(100 * seconds);
        points.push(`${Math.round(seconds)} ${split} ${by}: ${successes} of ${trials}`);
      },
    },
  });
  const stop = new AbortController();
  const play = async () => {
    const taker = fabric.evaluations.taker();
    for (;;) {
      const { item, acknowledge } = await taker.take(stop.signal);
      await clock.sleep(takes);
      pinned.push(pinnedVersion(item));
      expect((await fabric.evaluated.get())?.version).toBe(pinnedVersion(item));
      await acknowledge();
      const { id, instance } = item;
      await evaluations.receive(
        trajectory('any', {
          id: trajectoryId(id),
          order: id,
          instance,
          purpose: 'evaluate',
          steps: [step(played(pinnedVersion(item) ?? 0), 0.5)],
          outcome: outcome(instance.seed >= POCKET.seed('test', 0)),
        }),
      );
    }
  };
  play().catch(() => undefined);
  const hear = async () => {
    for await (const { event } of fabric.events.listen({ signal: stop.signal }))
      if (event.kind === 'health') problems.push(`${event.thing}: ${event.message}`);
  };
  hear().catch(() => undefined);
  const publish = async (number: number) => {
    await fabric.averaged.set({ version: version(number), blob: Uint8Array.of(number) });
    await fabric.weights.set({ version: version(number), blob: Uint8Array.of(100) });
  };
  return { clock, one, points, problems, kept, pinned, now, stop, publish };
}

test('it evaluates the first weights, then at each interval, and not shortly before the end', async () => {
  const { clock, one, points, kept, pinned, stop, publish } = measuring();
  const done = one.evaluatePeriodically(stop.signal);
  await clock.run(2000);
  expect(points).toEqual([]);
  await publish(0);
  await clock.run(5000);
  await publish(8);
  await clock.run(61_000);
  await done;
  expect(points.filter(point => point.includes('test'))).toEqual([
    '2 test 0: 2 of 2',
    '12 test 8: 2 of 2',
    '22 test 8: 2 of 2',
    '32 test 8: 2 of 2',
    '42 test 8: 2 of 2',
    '53 test 8: 2 of 2',
  ]);
  expect(points.filter(point => point.includes('train'))).toHaveLength(6);
  expect(points.find(point => point.includes('train'))).toBe('2 train 0: 1 of 1');
  // The mean of the weights, and not those that are trained.
  expect(kept).toEqual([0, 8, 8, 8, 8, 8]);
  expect(new Set(pinned)).toEqual(new Set([0, 8]));
});

test('a point names the version that decided, also if servers did not load the one that was asked for', async () => {
  const { clock, one, points, publish, stop } = measuring({ played: asked => Math.min(asked, 3) });
  await publish(8);
  const done = one.evaluate(2, stop.signal);
  await clock.run(5000);
  await done;
  expect(points).toEqual(['0 test 3: 2 of 2', '0 train 3: 1 of 1']);
  stop.abort();
});

test('a resumed run skips the first evaluation, and a paused run has none', async () => {
  const { clock, one, points, now, stop, publish } = measuring({ before: 2 });
  await publish(3);
  now.isRunning = false;
  void one.evaluatePeriodically(stop.signal);
  await clock.run(25_000);
  expect(points).toEqual([]);
  now.isRunning = true;
  await clock.run(27_000);
  expect(points).toEqual(['25 test 3: 2 of 2', '25 train 3: 1 of 1']);
  stop.abort();
  await clock.run(28_000);
});

test('a stop ends it while it waits or evaluates, and an unfinished evaluation adds no point', async () => {
  for (const number of [undefined, 1]) {
    const { clock, one, points, stop, publish } = measuring({ takes: 1000 });
    if (number !== undefined) await publish(number);
    const done = one.evaluatePeriodically(stop.signal);
    await clock.run(500);
    stop.abort();
    await done;
    expect(points).toEqual([]);
  }
});

test('a split whose episodes all broke is reported and adds no point', async () => {
  const { clock, one, points, problems, stop, publish } = measuring({
    outcome: isTest => (isTest ? BROKEN : judged(0.5)),
  });
  await publish(4);
  const done = one.evaluate(2, stop.signal);
  await clock.run(5000);
  await done;
  expect(points).toEqual(['0 train 4: 0 of 1']);
  expect(problems).toEqual([expect.stringMatching(/^evaluation \(test\): All 2 evaluation episodes broke/)]);
});

test('while the disk is full an evaluation waits, and continues when there is space', async () => {
  let isDiskFull = true;
  const { clock, one, points, problems, kept, stop, publish } = measuring({ isDiskFull: () => isDiskFull });
  await publish(5);
  const done = one.evaluate(2, stop.signal);
  await clock.run(6000);
  expect({ points, kept }).toEqual({ points: [], kept: [] });
  isDiskFull = false;
  await clock.run(20_000);
  await done;
  expect(kept).toEqual([5]);
  expect(points).toEqual(['0 test 5: 2 of 2', '0 train 5: 1 of 1']);
  expect(new Set(problems)).toEqual(
    new Set([
      'evaluated weights: They cannot be written: The disk is full. Dartboard tries again.',
      'evaluated weights: can be written again',
    ]),
  );
});

test('a stop ends an evaluation that waits for a full disk', async () => {
  const { clock, one, points, stop, publish } = measuring({ isDiskFull: () => true });
  await publish(5);
  const done = one.evaluate(2, stop.signal);
  await clock.run(2000);
  stop.abort();
  await done;
  expect(points).toEqual([]);
});

test('a suite whose tasks have one instance each is evaluated on the tasks that never train', async () => {
  const clock = new VirtualClock();
  const fabric = embeddedFabric();
  const [trained, tested] = [taskId('trained'), taskId('tested')];
  const played: (readonly string[])[] = [];
  const evaluator = new RunEvaluator({
    ...{ config: parseConfig({}), fabric, clock, before: 0, tasks: [trained] },
    suite: { ...POCKET, tested: [tested] },
    evaluations: {
      measure: async ({ version: by, instances }) => {
        played.push(instances.map(({ task }) => task));
        const success = { successes: 1, trials: 1, rate: 1, low: 0, high: 1 };
        return { version: by, success, meanScore: 1, broken: 0, tasks: [] };
      },
    },
    keepWeights: async () => undefined,
    progress: {
      ...{ trainedSeconds: () => 1, trainedSteps: () => 1, isRunning: () => true },
      evaluated: async () => undefined,
    },
  });
  await fabric.averaged.set({ version: version(1), blob: new Uint8Array(4) });
  await evaluator.evaluate(1, new AbortController().signal);
  expect(played).toEqual([[tested], [trained]]);
});
