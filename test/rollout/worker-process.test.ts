// The real thing, small: runner, pool, worker processes with random weights, and pocket desktops. Needs the bundle that `npm test`
// builds first.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SLOTS } from '../../runtime/agents/compact/action-kinds.ts';
import { blobOf } from '../../runtime/agents/compact/blob.ts';
import { CompactAgent } from '../../runtime/agents/compact/compact-agent.ts';
import { assessingProgram } from '../../runtime/agents/compact/programs.ts';
import { sampleFrom } from '../../runtime/agents/compact/step-sample.ts';
import { desktopId, groupId, orderId, runId, seed, taskId, version } from '../../runtime/core/ids.ts';
import type { Order } from '../../runtime/core/order.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { RENDERER } from '../../runtime/environments/pocket/machine.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { DesktopPool } from '../../runtime/environments/pool.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { Session } from '../../runtime/graph/session.ts';
import { Pool } from '../../runtime/rollout/policy-pool.ts';
import type { PolicyWorker } from '../../runtime/rollout/policy-worker.ts';
import { Runner } from '../../runtime/rollout/runner.ts';
import { startWorker } from '../../runtime/rollout/worker-process.ts';
import { openWith, row, SHAPE, sampleFeeds, weightsOf } from '../agents/compact/running-policy.ts';

const ENTRY = new URL('../../dist/worker.js', import.meta.url);
const WEIGHTS = [weightsOf('first'), weightsOf('second')];
const published = WEIGHTS.map((each, index) => ({ version: version(index), blob: blobOf(each) }));

const TASKS = ['mail-forward', 'settings-theme', 'files-rename'];
const ORDERS: readonly Order[] = Array.from({ length: 6 }, (_, index) => ({
  id: orderId(`o${index}`),
  run: runId('run'),
  group: groupId('g'),
  instance: { task: taskId(TASKS[index % TASKS.length] ?? ''), seed: seed(index) },
  maxSteps: 5,
  mode: 'screenshot_a11y_tree',
  ...(index === 5 ? { purpose: 'evaluate', version: version(0) } : { purpose: 'train' }),
}));

const workers: PolicyWorker[] = [];
const assessing: Session[] = [];
let pool: Pool;
let trajectories: readonly Trajectory[];

beforeAll(async () => {
  for (const weights of WEIGHTS) assessing.push(await openWith(assessingProgram(SHAPE), weights));
  pool = new Pool({
    ...{ size: 2, maxRequests: 4, maxWaitMs: 1, maxSwapping: 1, clock: systemClock },
    start: async () => {
      const worker = await startWorker({ entry: ENTRY, shape: SHAPE });
      workers.push(worker);
      return worker;
    },
    health: () => undefined,
  });
  const [first, second] = published;
  if (first === undefined || second === undefined) throw new Error('There are no weights.');
  pool.pin(first);
  pool.publish(first);
  const cluster = new DesktopPool({
    ...{ size: 3, clock: systemClock, maxEpisodes: 100, maxAgeMs: Number.POSITIVE_INFINITY },
    make: async index => new PocketDesktop(desktopId(`d${index}`)),
    health: () => undefined,
  });
  const fabric = embeddedFabric();
  const runner = new Runner({
    orders: fabric.orders.taker(),
    ...{ trajectories: fabric.trajectories, events: fabric.events, lender: cluster },
    agent: new CompactAgent({ pool }),
    taskOf: ({ task, seed: number }) => POCKET.task(task, number),
    sampling: { temperature: 1, exploration: 0 },
    ...{ clock: systemClock, random: seeded('process') },
  });
  const stop = new AbortController();
  const running = runner.run(stop.signal);
  const taker = fabric.trajectories.taker();
  const finished: Trajectory[] = [];
  for (const order of ORDERS) await fabric.orders.put(order);
  while (finished.length < ORDERS.length) {
    finished.push((await taker.take()).item);
    // In the midst of it all: the weights change, and a process is killed.
    if (finished.length === 2) pool.publish(second);
    if (finished.length === 3) await workers[0]?.close();
  }
  stop.abort();
  await running;
  await cluster.close();
  trajectories = finished;
});
afterAll(() => Promise.all([pool.close(), ...assessing.map(session => session.close())]));

describe('episodes on real desktops, decided by real processes', () => {
  test('finish while weights change and workers are killed', () => {
    expect(trajectories.map(({ order }) => order).sort()).toEqual(ORDERS.map(({ id }) => id));
    for (const { outcome, steps, frames, instance } of trajectories) {
      expect(outcome.kind, JSON.stringify(outcome)).toBe('judged');
      expect(steps.length, instance.task).toBeGreaterThan(0);
      expect(frames).toEqual({ kind: 'redrawn', renderer: RENDERER });
    }
    expect(trajectories.some(({ steps }) => steps.length > 1)).toBe(true);
  });

  test('a worker reports its end', async () => {
    expect((await workers[0]?.ended)?.message).toMatch(/^The policy worker \(process \d+\) /);
  });

  test('an evaluation uses one version for all steps', () => {
    const evaluated = trajectories.find(({ purpose }) => purpose === 'evaluate');
    expect(new Set(evaluated?.steps.map(({ chosen }) => chosen?.version))).toEqual(new Set([0]));
  });

  test('each sampled step has the probability that its version gives it', async () => {
    const steps = trajectories.filter(({ purpose }) => purpose === 'train').flatMap(each => each.steps);
    for (const { observation, chosen } of steps) {
      if (observation === undefined || chosen?.trace.kind !== 'heads')
        throw new Error('A step was not chosen.');
      const sample = sampleFrom(observation, chosen.trace);
      const found = await assessing[chosen.version]?.run(sampleFeeds([sample]));
      const again = row(found ?? {}, 'logProbability', 0);
      const entropies = row(found ?? {}, 'entropy', 0);
      let decision = 0;
      for (const [slot] of SLOTS.entries()) {
        if (sample.used[slot] !== 1) continue;
        const recorded = chosen.trace.decisions[decision++];
        expect(Math.abs((again[slot] ?? Number.NaN) - (recorded?.logProbability ?? 0))).toBeLessThan(1e-4);
        expect(entropies[slot]).toBeCloseTo(recorded?.entropy ?? Number.NaN, 3);
      }
      expect(decision).toBe(chosen.trace.decisions.length);
    }
  });
});
