// Orders played on lent desktops, under a clock that jumps: when each starts, how each is decided, and that all is let go.

import { describe, expect, test } from 'vitest';
import { version } from '../../runtime/core/ids.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { FINISHED, order, policyError, WAIT } from './models.ts';
import { resets, ring } from './ring.ts';

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
