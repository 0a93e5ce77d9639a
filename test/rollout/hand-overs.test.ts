// A person takes a desktop from a runner, and gives it back.

import { describe, expect, test } from 'vitest';
import type { Event } from '../../runtime/core/event.ts';
import { order } from './models.ts';
import { ring } from './ring.ts';

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
