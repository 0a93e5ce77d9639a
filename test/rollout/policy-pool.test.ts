// The pool of policy workers: batches, new weights and the account of time.

import { describe, expect, test } from 'vitest';
import { version } from '../../runtime/core/ids.ts';
import { weights } from './model-workers.ts';
import { pooled } from './pooled-workers.ts';

describe('requests', () => {
  test('wait for the first weights', async () => {
    const { ask, held, ready, answer, decided, settle } = pooled();
    await settle();
    void ask(1);
    await settle();
    expect([held(0), held(1)]).toEqual([[], []]);
    await ready();
    await answer(0);
    expect(decided).toEqual(['0 1: 0']);
  });

  test('go to a free worker at once, and share a batch while none is free', async () => {
    const { ask, held, ready, answer } = pooled({ maxRequests: 3 });
    await ready();
    for (let number = 1; number <= 7; number++) void ask(number);
    expect([held(0), held(1)]).toEqual([['1'], ['2']]);
    await answer(1);
    expect(held(1)).toEqual(['3,4,5']);
    await answer(0);
    expect(held(0)).toEqual(['6,7']);
  });

  test('wait for others to share their batch, for at most maxWaitMs', async () => {
    const { clock, ask, held, ready } = pooled({ maxRequests: 3, maxWaitMs: 10 });
    await ready();
    void ask(1);
    await clock.run(6);
    void ask(2);
    await clock.run(9);
    expect(held(0)).toEqual([]);
    await clock.run(10);
    expect(held(0)).toEqual(['1,2']);
    for (const number of [3, 4, 5]) void ask(number);
    expect(held(1)).toEqual(['3,4,5']);
  });

  test('go to the worker with the fewest in flight', async () => {
    const { ask, held, ready, answer } = pooled({ maxRequests: 2, maxBatchesPerWorker: 2 });
    await ready();
    for (let number = 1; number <= 5; number++) void ask(number);
    expect([held(0), held(1)]).toEqual([
      ['1', '3'],
      ['2', '4'],
    ]);
    void ask(6);
    await answer(0);
    expect(held(0)).toEqual(['3', '5,6']);
  });

  test('of one batch require one version', async () => {
    const { ask, held, ready, answer, pool, decided } = pooled({ size: 1 });
    pool.pin(weights(7));
    await ready();
    for (const [number, pinned] of [[1], [2, 7], [3], [4, 7], [5, 7]] as const) void ask(number, pinned);
    expect(held(0)).toEqual(['1']);
    await answer(0);
    expect(held(0)).toEqual(['2,4,5']);
    await answer(0);
    await answer(0);
    expect(decided).toEqual(['0 1: 0', '0 2: 7', '0 4: 7', '0 5: 7', '0 3: 0']);
  });

  test('that cannot be decided are rejected one by one', async () => {
    const { ask, ready, answer, decided, pool, workers, settle } = pooled({ size: 1 });
    await ready();
    void ask(1, 9);
    void ask(2);
    await answer(0);
    workers[0]?.fail('the session is torn');
    await settle();
    pool.pin(weights(9));
    void ask(3, 9);
    await answer(0);
    pool.unpin(version(9));
    void ask(4, 9);
    await answer(0);
    expect(decided).toEqual([
      '0 1: policy worker 0: it has no version 9',
      '0 2: policy worker 0: the session is torn',
      '0 3: 9',
      '0 4: policy worker 0: it has no version 9',
    ]);
  });
});

describe('new weights', () => {
  test('reach the workers one after another while the others serve', async () => {
    const { pool, ask, held, ready, answer, decided } = pooled();
    await ready();
    void ask(1);
    pool.publish(weights(1));
    // Who has least to answer begins.
    expect([held(0), held(1)]).toEqual([['1'], ['load']]);
    void ask(2);
    await answer(0);
    expect([held(0), held(1)]).toEqual([['2'], ['load']]);
    await answer(1);
    expect(pool.versions()).toEqual([0, 1]);
    void ask(3);
    expect([held(0), held(1)]).toEqual([['2'], ['3']]);
    await answer(0);
    expect(held(0)).toEqual(['load']);
    await answer(0, 1);
    expect(decided).toEqual(['0 1: 0', '0 2: 0', '0 3: 1']);
    expect(pool.versions()).toEqual([1, 1]);
  });

  test('block all requests when all workers load at once', async () => {
    const { pool, ask, held, ready, answer, decided } = pooled({ maxSwapping: 2 });
    await ready();
    void ask(1);
    pool.publish(weights(1));
    void ask(2);
    expect([held(0), held(1)]).toEqual([['1'], ['load']]);
    await answer(0);
    expect([held(0), held(1)]).toEqual([['load'], ['load']]);
    await answer(0);
    expect(held(0)).toEqual(['2']);
    await answer(0, 1);
    expect(decided).toEqual(['0 1: 0', '0 2: 1']);
  });

  test('replace older ones that a worker has not begun to load', async () => {
    const { pool, held, ready, answer } = pooled();
    await ready();
    pool.publish(weights(1));
    pool.publish(weights(2));
    pool.publish(weights(1));
    await answer(0);
    expect(pool.versions()).toEqual([1, 0]);
    // One is behind by one version, the other by two: both get the newest, and nobody the one between.
    for (let swaps = 0; swaps < 2; swaps++) await answer(held(0)?.length === 1 ? 0 : 1);
    expect(pool.versions()).toEqual([2, 2]);
    expect([held(0), held(1)]).toEqual([[], []]);
  });

  test.each([
    [1000, 1],
    [110, 2],
    [60, 3],
  ])(
    'that come every %i ms, and load in 50 ms, are loaded by at most %i of four workers',
    async (interval, most) => {
      const { pool, clock, workers, ready } = pooled({
        size: 4,
        isPaced: true,
        times: { decides: 2, loads: 50 },
      });
      await ready();
      const loading: number[] = [];
      for (let number = 1; number <= 30; number++) {
        pool.publish(weights(number));
        for (let tenth = 0; tenth < 10; tenth++) {
          await clock.run(clock.now() + interval / 10);
          if (number > 10)
            loading.push(workers.filter(({ calls }) => calls.some(({ kind }) => kind === 'load')).length);
        }
      }
      expect(Math.max(...loading)).toBe(most);
    },
  );

  test('that come faster than workers load them do not stop decisions', async () => {
    const { pool, clock, ask, ready, decided } = pooled({ size: 1, times: { decides: 2, loads: 50 } });
    await ready();
    for (let number = 1; number <= 20; number++) {
      pool.publish(weights(number));
      void ask(number);
      await clock.run(clock.now() + 10);
    }
    expect(decided.length).toBeGreaterThan(10);
  });

  test('that a worker cannot load end it', async () => {
    const { pool, clock, workers, said, ready, answer } = pooled({ size: 1 });
    await ready();
    pool.publish(weights(1));
    workers[0]?.fail('the weights are too short');
    await clock.run(1000);
    expect(workers[0]?.isClosed).toBe(true);
    await answer(1);
    expect(pool.versions()).toEqual([1]);
    expect(said).toEqual([
      '0 policy worker 0 down: the weights are too short; it is started again in 1 s',
      '1000 policy worker 0 up: works again',
    ]);
  });
});

test('accounts for every millisecond of every worker', async () => {
  const { pool, clock, workers, ask, ready } = pooled({ times: { decides: 10, loads: 100 } });
  await ready();
  void ask(1);
  void ask(2);
  await clock.run(105);
  pool.publish(weights(1));
  await clock.run(210);
  void ask(3);
  await clock.run(215);
  workers[1]?.end();
  await clock.run(300);
  expect(pool.account()).toEqual([
    { deciding: 20, loading: 200, idle: 80, dead: 0 },
    { deciding: 10, loading: 100 + 5, idle: 100, dead: 85 },
  ]);
});

test('closing ends all workers and rejects pending requests', async () => {
  const { pool, clock, workers, said, ask, ready, decided } = pooled({ maxRequests: 1 });
  await ready();
  for (const number of [1, 2, 3]) void ask(number);
  await pool.close();
  void ask(4);
  await clock.run();
  expect(decided).toHaveLength(4);
  for (const line of decided) expect(line).toContain('The policy pool is closed');
  expect(workers.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  expect(said).toEqual([]);
});
