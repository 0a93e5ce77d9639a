// Orders played on lent desktops, under a clock that jumps: when each starts, what becomes of what breaks, and that all is let go.

import { describe, expect, onTestFinished, test } from 'vitest';
import { CompactAgent } from '../../runtime/agents/compact/compact-agent.ts';
import type { Action } from '../../runtime/core/action.ts';
import type { Event } from '../../runtime/core/event.ts';
import { desktopId, version } from '../../runtime/core/ids.ts';
import type { Order } from '../../runtime/core/order.ts';
import type { DecisionRequest } from '../../runtime/core/policy.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { rewardOf } from '../../runtime/core/verdict.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import { HandOvers } from '../../runtime/rollout/hand-overs.ts';
import { Runner } from '../../runtime/rollout/runner.ts';
import {
  desktops,
  FINISHED,
  type ModelDesktops,
  order,
  policy,
  policyError,
  taskOf,
  WAIT,
} from './models.ts';

interface Some extends ModelDesktops {
  readonly fabric?: Fabric;
  readonly inARow?: number;
  readonly mostAttempts?: number;
  readonly answer?: (request: DecisionRequest, number: number) => Action | Error;
  /** Milliseconds that a decision takes. */
  readonly decides?: number;
}

/** A runner that runs, with all around it: a step takes 15 ms. */
function ring({
  answer = () => WAIT,
  decides = 5,
  inARow,
  mostAttempts,
  fabric = embeddedFabric(),
  ...model
}: Some = {}) {
  const clock = new VirtualClock();
  const { cluster, log } = desktops(clock, model);
  const { pool, requests } = policy(clock, answer, decides);
  const events: Event[] = [];
  const handOvers = new HandOvers();
  const runner = new Runner({
    ...{
      lender: cluster,
      agent: new CompactAgent({ pool }),
      taskOf,
      clock,
      trajectories: fabric.trajectories,
      handOvers,
    },
    orders: fabric.orders.taker(),
    events: { publish: event => events.push(event) },
    sampling: { temperature: 0.9, exploration: 0.1 },
    random: seeded('runner'),
    ...(inARow !== undefined && { inARow }),
    ...(mostAttempts !== undefined && { mostAttempts }),
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const running = runner.run(stop.signal);
  const taker = fabric.trajectories.taker();
  const finished = async () => {
    const all: Trajectory[] = [];
    for (let next = await taker.tryTake(); next !== undefined; next = await taker.tryTake())
      all.push(next.item);
    return all;
  };
  const put = async (...orders: readonly Order[]) => {
    for (const each of orders) await fabric.orders.put(each);
  };
  const take = (desktop: string, signal = stop.signal) => handOvers.take(desktopId(desktop), signal);
  return { clock, fabric, cluster, log, events, stop, running, finished, put, requests, take };
}

const resets = (log: readonly string[]) => log.filter(line => line.includes('reset'));

describe('orders', () => {
  test('start when a desktop is free, beside running episodes', async () => {
    const { clock, log, put } = ring();
    await put(order('long', { maxSteps: 20 }));
    await put(
      ...Array.from({ length: 4 }, (_, index) => order(`short-${index}`, { task: 't', maxSteps: 2 })),
    );
    await clock.run();
    expect(resets(log)).toEqual([
      '0 d0 reset wait 7',
      '0 d1 reset t 7',
      '30 d1 reset t 7',
      '60 d1 reset t 7',
      '90 d1 reset t 7',
    ]);
    expect(clock.now()).toBe(300);
  });

  test('are not taken without a desktop, and no desktop is leased without an order', async () => {
    const { clock, fabric, cluster, put } = ring({ size: 2 });
    await clock.run(100);
    expect(cluster.counts().free).toBe(2);
    expect(cluster.timeSpent()).toMatchObject({ idle: 200, waiting: 0 });
    await put(...Array.from({ length: 5 }, (_, index) => order(`o${index}`)));
    await clock.run(100);
    expect(await fabric.orders.depth()).toEqual({ waiting: 3, taken: 2 });
    await clock.run();
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 0 });
    expect(cluster.counts().free).toBe(2);
  });

  test('become trajectories with instruction, observations, choices and verdict', async () => {
    const { clock, put, finished } = ring({ answer: (_, number) => (number < 2 ? WAIT : FINISHED) });
    await clock.run(40);
    await put(order('one'));
    await clock.run();
    const [trajectory] = await finished();
    expect(trajectory).toMatchObject({
      ...{ id: 'one.1', order: 'one', run: 'run', group: 'group', instance: { task: 'wait', seed: 7 } },
      ...{ instruction: 'Do wait.', purpose: 'train', mode: 'a11y_tree', maxSteps: 3 },
      ...{ provenance: { kind: 'rollout' }, frames: { kind: 'redrawn', renderer: 'model-1' } },
      outcome: { kind: 'judged', ending: 'finished', verdict: { score: 0.5 } },
      ...{ startedAt: 40, endedAt: 60 },
    });
    expect(trajectory?.steps.map(({ action, chosen }) => [action.kind, chosen])).toEqual([
      ['wait', { version: 1, trace: { kind: 'heads', decisions: [] } }],
      ['finished', { version: 2, trace: { kind: 'heads', decisions: [] } }],
    ]);
    for (const { observation } of trajectory?.steps ?? [])
      expect(observation?.bytes.length).toBeGreaterThan(0);
  });

  test('end capped at the step limit, and not with fail', async () => {
    const { clock, log, put, finished } = ring();
    await put(order('capped', { maxSteps: 2 }));
    await clock.run();
    const [trajectory] = await finished();
    expect(trajectory?.outcome).toMatchObject({ kind: 'judged', ending: 'capped' });
    expect(trajectory?.steps.map(({ action }) => action)).toEqual([WAIT, WAIT]);
    expect(log.at(-1)).toBe('30 d0 judged capped');
  });
});

describe('decisions', () => {
  test('use the sampling of the run, each with its own seed', async () => {
    const { clock, put, requests } = ring();
    await put(order('a'), order('b'), order('c', { purpose: 'collect' }));
    await clock.run();
    expect(requests).toHaveLength(9);
    expect(new Set(requests.map(({ seed }) => seed)).size).toBe(9);
    for (const request of requests) {
      expect(request).toMatchObject({ temperature: 0.9, exploration: 0.1 });
      expect('version' in request).toBe(false);
    }
  });

  test('explore less per step in longer tasks', async () => {
    const { clock, put, requests } = ring();
    await put(order('a', { task: 'long' }), { ...order('b', { task: 'long' }), exploration: 0.5 });
    await clock.run();
    const shares = [...new Set(requests.map(({ exploration }) => exploration))].sort();
    expect(shares).toEqual([expect.closeTo(0.02), expect.closeTo(0.1)]);
  });

  test('of an evaluation are greedy, with its required version', async () => {
    const { clock, put, requests } = ring();
    await put({ ...order('e'), purpose: 'evaluate', version: version(4) });
    await clock.run();
    expect(requests).toHaveLength(3);
    for (const request of requests)
      expect(request).toMatchObject({ temperature: 0, exploration: 0, version: 4 });
  });
});

describe('orders of one task in a row', () => {
  const resetsByDesktop = (log: readonly string[]) =>
    resets(log).map(line => line.replace(/^\d+ (\w+) reset (\w+).*$/, '$1 $2'));

  test('are played on one desktop, up to the limit', async () => {
    const { clock, log, put, finished, fabric } = ring({ inARow: 3 });
    const tasks = ['a', 'a', 'a', 'a', 'b'];
    await put(...tasks.map((task, index) => order(`${task}-${index}`, { task, maxSteps: 2 })));
    await clock.run();
    expect(resetsByDesktop(log)).toEqual(['d0 a', 'd1 a', 'd0 a', 'd1 b', 'd0 a']);
    expect(await finished()).toHaveLength(5);
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('behind a broken episode return, and are played elsewhere', async () => {
    const { clock, put, finished, fabric, cluster } = ring({ inARow: 3, breaks: act => act === 1 });
    await put(...['one', 'two', 'three'].map(name => order(name, { task: 'a', maxSteps: 2 })));
    await clock.run();
    const all = await finished();
    expect(all.map(({ outcome }) => outcome.kind)).toEqual(['judged', 'judged', 'judged']);
    expect(all.map(({ id }) => id).toSorted()).toEqual(['one.2', 'three.2', 'two.2']);
    expect(cluster.counts()).toMatchObject({ broken: 1 });
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('behind a broken episode lose no attempt', async () => {
    const { put, stop, running, fabric, clock } = ring({ inARow: 3, size: 1, breaks: () => true });
    await put(...['one', 'two', 'three'].map(name => order(name, { task: 'a' })));
    await clock.run(15);
    stop.abort();
    await clock.run();
    await running;
    const taker = fabric.orders.taker();
    const returned = [await taker.take(), await taker.take(), await taker.take()];
    const attempts = returned.map(({ item, attempt, untouched }) => `${item.id} ${attempt - untouched}`);
    expect(attempts).toEqual(['one 2', 'two 1', 'three 1']);
  });

  test('that other runners returned unplayed have all their attempts', async () => {
    const fabric = embeddedFabric();
    await fabric.orders.put(order('one'));
    const other = fabric.orders.taker();
    for (let times = 0; times < 12; times++) await (await other.take()).giveBack('untouched');
    const { clock, finished } = ring({ fabric, breaks: act => act === 1 });
    await clock.run();
    expect((await finished()).map(({ outcome }) => outcome.kind)).toEqual(['judged']);
  });

  test('return when the run ends, also one that was taken ahead', async () => {
    const { put, stop, running, fabric, clock } = ring({ inARow: 3, size: 1 });
    await put(...['a', 'a', 'b'].map((task, index) => order(`${task}-${index}`, { task, maxSteps: 20 })));
    await clock.run(40);
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 3 });
    stop.abort();
    // The desktop answers first.
    await clock.run();
    await running;
    expect(await fabric.orders.depth()).toEqual({ waiting: 3, taken: 0 });
  });
});

describe('a broken episode', () => {
  test('is retried on another desktop with other seeds, and then scored', async () => {
    const { clock, cluster, log, put, finished, requests } = ring({ size: 1, breaks: act => act === 2 });
    await put(order('one'), order('two'));
    await clock.run();
    expect(resets(log).map(line => line.split(' ').slice(0, 2))).toEqual([
      ['0', 'd0'],
      ['30', 'd1'],
      ['75', 'd1'],
    ]);
    const all = await finished();
    expect(all.map(({ id, outcome }) => [id, outcome.kind])).toEqual([
      ['one.2', 'judged'],
      ['two.1', 'judged'],
    ]);
    expect(cluster.counts()).toMatchObject({ made: 2, broken: 1 });
    expect(new Set(requests.map(({ seed }) => seed)).size).toBe(requests.length);
  });

  test('is stored as broken after the last attempt, with its steps, and never scored', async () => {
    const { clock, put, finished, events, fabric } = ring({ breaks: act => act % 2 === 0, size: 1 });
    await put(order('one'));
    await clock.run();
    const all = await finished();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      id: 'one.3',
      outcome: { kind: 'broken', failure: { boundary: 'environment', message: 'its screen went away' } },
    });
    expect(all[0]?.steps).toHaveLength(2);
    expect(all.map(({ outcome }) => rewardOf(outcome))).toEqual([undefined]);
    expect(events.filter(event => event.kind === 'metric' && event.name === 'rollout/broken')).toHaveLength(
      3,
    );
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('is tried as often as the setting says, also more than ten times', async () => {
    const { clock, put, finished } = ring({ breaks: () => true, size: 1, mostAttempts: 12 });
    await put(order('one'));
    await clock.run();
    expect(await finished()).toMatchObject([
      { id: 'one.12', outcome: { failure: { boundary: 'environment', message: 'its screen went away' } } },
    ]);
  });

  test('of an order that ended ten processes is stored without being played again', async () => {
    const fabric = embeddedFabric();
    await fabric.orders.put(order('one'));
    for (let times = 0; times < 10; times++) {
      const ofProcess = fabric.orders.taker();
      await ofProcess.tryTake();
      await ofProcess.close();
    }
    const { clock, log, finished, events } = ring({ fabric });
    await clock.run();
    const all = await finished();
    expect(all.map(({ id, outcome }) => [id, outcome.kind])).toEqual([['one.11', 'broken']]);
    expect(resets(log)).toEqual([]);
    const report = events.find(event => event.kind === 'health' && !event.healthy);
    expect(report).toMatchObject({ message: expect.stringContaining('10 host processes ended') });
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('whose policy failed leaves the desktop intact', async () => {
    const broken = policyError('it was asked in an encoding that it does not read');
    const { clock, cluster, put, finished } = ring({ answer: (_, number) => (number === 2 ? broken : WAIT) });
    await put(order('one'));
    await clock.run();
    expect((await finished()).map(({ id, outcome }) => [id, outcome.kind])).toEqual([['one.2', 'judged']]);
    expect(cluster.counts()).toMatchObject({ made: 2, broken: 0 });
  });

  test.each([
    ['that there is not', order('x', { task: 'unknown' }), "There is no task 'unknown'."],
    [
      'that is to be demonstrated',
      order('x', { purpose: 'demonstrate' }),
      'it was ordered as a demonstration',
    ],
  ])('with a task %s is not tried again', async (_name, ordered, message) => {
    const { clock, put, finished, requests, events } = ring();
    await put(ordered);
    await clock.run();
    const [trajectory, ...others] = await finished();
    expect(others).toEqual([]);
    expect(trajectory).toMatchObject({ id: 'x.1', steps: [], outcome: { kind: 'broken' } });
    // The only place where a user of this run reads why its episodes are missing.
    expect(events).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'health', thing: `task ${ordered.instance.task}`, healthy: false },
        message: expect.stringContaining(message),
      }),
    );
    expect(trajectory?.outcome).toMatchObject({
      failure: { boundary: 'task', thing: ordered.instance.task, message: expect.stringContaining(message) },
    });
    expect(requests).toEqual([]);
  });
});

describe('a desktop that somebody takes', () => {
  test('leaves its episode with its lease; the orders of its row return, and are played elsewhere', async () => {
    const { clock, put, take, finished, fabric, cluster } = ring({ inARow: 3, decides: 1e6 });
    await put(...['one', 'two'].map(name => order(name, { task: 'a', maxSteps: 2 })));
    await clock.run(5);
    const { lease, episode } = await take('d0');
    expect(lease.desktop.id).toBe('d0');
    expect(episode).toMatchObject({ instruction: 'Do a.', actions: [] });
    await clock.run();
    const all = await finished();
    expect(all.map(({ id }) => id).toSorted()).toEqual(['one.2', 'two.2']);
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 0 });
    expect(cluster.counts().free).toBe(1);
    lease.release();
    expect(cluster.counts().free).toBe(2);
  });

  test('is handed over by the next episode if none plays on it', async () => {
    const { clock, put, take } = ring({ size: 1 });
    await clock.run(10);
    const taking = take('d0');
    await clock.run(100);
    await put(order('one'));
    await clock.run(101);
    const { episode, lease } = await taking;
    expect(episode.actions).toEqual([]);
    lease.release();
  });

  test('returns to the runner when nobody wants it any more', async () => {
    const { clock, put, take, finished, cluster } = ring({ size: 1 });
    const over = new AbortController();
    await put(order('one'));
    await clock.run(7);
    const taking = take('d0', over.signal);
    over.abort(new Error('changed my mind'));
    await expect(taking).rejects.toThrow('changed my mind');
    await clock.run();
    expect((await finished()).map(({ id }) => id)).toEqual(['one.2']);
    expect(cluster.counts()).toMatchObject({ free: 1, broken: 0 });
  });

  test('costs its order no attempt, nor those behind it in the row', async () => {
    const { clock, put, take, finished, events } = ring({
      ...{ size: 1, inARow: 2, decides: 1e6, breaks: () => true },
    });
    await put(...['one', 'two'].map(name => order(name, { task: 'a' })));
    for (let times = 1; times <= 3; times++) {
      await clock.run(5 * times);
      (await take('d0')).lease.release();
    }
    await clock.run();
    expect((await finished()).map(({ order, outcome }) => [order, outcome.kind]).toSorted()).toEqual([
      ['one', 'broken'],
      ['two', 'broken'],
    ]);
    // Three attempts of each.
    const isBroken = (event: Event) => event.kind === 'metric' && event.name === 'rollout/broken';
    expect(events.filter(isBroken)).toHaveLength(6);
  });

  test('stays with a runner that stops', async () => {
    const { clock, put, take, stop, running, fabric, cluster } = ring({ size: 1 });
    await put(order('one'));
    await clock.run(7);
    stop.abort();
    await expect(take('d0')).rejects.toThrow();
    await clock.run();
    await running;
    expect(await fabric.orders.depth()).toEqual({ waiting: 1, taken: 0 });
    expect(cluster.counts().free).toBe(1);
  });
});

describe('a stopped runner', () => {
  test('returns its orders unscored once the desktops have answered', async () => {
    const { clock, fabric, cluster, stop, running, put, finished } = ring();
    await put(order('one'), order('two'), order('three'));
    await clock.run(7);
    stop.abort();
    let isDone = false;
    const done = running.then(() => {
      isDone = true;
    });
    await clock.run(14);
    expect(isDone).toBe(false);
    await clock.run(15);
    await done;
    expect(await finished()).toEqual([]);
    expect(await fabric.orders.depth()).toEqual({ waiting: 3, taken: 0 });
    expect(cluster.counts()).toMatchObject({ free: 2, broken: 0 });
  });

  test('does not wait for a decision, an order or a desktop', async () => {
    for (const count of [0, 1, 5]) {
      const { clock, fabric, cluster, stop, running, put } = ring({ decides: 1e9 });
      await put(...Array.from({ length: count }, (_, index) => order(`o${index}`)));
      await clock.run(10);
      stop.abort();
      await running;
      expect(await fabric.orders.depth()).toEqual({ waiting: count, taken: 0 });
      expect(cluster.counts().free).toBe(2);
    }
  });

  test('releases everything when a channel closes, and names the channel', async () => {
    const { clock, fabric, cluster, running, put } = ring();
    await put(order('one'));
    await clock.run(1);
    const ended = expect(running).rejects.toThrow("'orders' is closed");
    await fabric.close();
    await clock.run();
    await ended;
    expect(cluster.counts().free).toBe(2);
  });
});

test('reports what it waits for, and nothing while it plays', async () => {
  const { clock, events, put } = ring();
  await clock.run(5);
  await put(order('one'));
  await clock.run();
  const waiting = events.flatMap(event =>
    event.kind === 'waiting' ? [`${event.at} ${event.reason ?? 'works'}`] : [],
  );
  expect(waiting).toEqual(['0 a desktop', '0 an order', '5 a desktop', '5 works', '50 an order']);
});

test('the same seed gives the same run', async () => {
  const day = async () => {
    const { clock, log, put, finished, requests } = ring({
      size: 3,
      breaks: act => act % 11 === 0,
      answer: ({ seed }) => (seed % 5 === 0 ? FINISHED : seed % 17 === 0 ? policyError('no') : WAIT),
    });
    await put(...Array.from({ length: 40 }, (_, index) => order(`o${index}`, { maxSteps: 1 + (index % 7) })));
    await clock.run();
    const all = await finished();
    expect(new Set(all.map(({ order }) => order)).size).toBe(40);
    return { log, all, requests };
  };
  const one = await day();
  expect(one.log.length).toBeGreaterThan(50);
  expect(one.all.some(({ outcome }) => outcome.kind === 'broken' || outcome.ending === 'finished')).toBe(
    true,
  );
  expect(await day()).toEqual(one);
});
