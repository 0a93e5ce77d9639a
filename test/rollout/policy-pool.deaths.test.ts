// A worker that ends or does not start, and its requests.

import { describe, expect, test } from 'vitest';
import { weights } from './model-workers.ts';
import { pooled } from './pooled-workers.ts';

describe('a worker that ends', () => {
  test('leaves its requests to the others in their old order, and is replaced', async () => {
    const { pool, clock, workers, said, ask, held, ready, answer, decided, settle } = pooled({
      maxRequests: 1,
    });
    pool.pin(weights(5));
    await ready();
    for (const number of [1, 2, 3]) void ask(number);
    workers[0]?.end();
    await settle();
    await answer(1);
    expect(held(1)).toEqual(['1']);
    await answer(1);
    await answer(1);
    expect(decided).toEqual(['0 2: 0', '0 1: 0', '0 3: 0']);
    expect(pool.versions()).toEqual([undefined, 0]);
    await clock.run(1000);
    expect(held(2)).toEqual(['load']);
    expect(workers[2]?.pinned).toEqual(new Set([5]));
    await answer(2);
    expect(pool.versions()).toEqual([0, 0]);
    expect(said).toEqual([
      '0 policy worker 0 down: The policy worker ended with SIGKILL; it is started again in 1 s',
      '1000 policy worker 0 up: works again',
    ]);
  });

  test('while it loads weights lets the next one load', async () => {
    const { pool, workers, held, ready, settle } = pooled();
    await ready();
    pool.publish(weights(1));
    workers[0]?.end();
    await settle();
    expect(held(1)).toEqual(['load']);
  });

  test('is not counted among those that serve while others load', async () => {
    let starts = 0;
    const { pool, clock, workers, ready } = pooled({
      ...{ size: 4, isPaced: true, times: { decides: 2, loads: 50 } },
      start: async make => {
        starts += 1;
        if (starts > 4) throw new Error('no memory');
        return make();
      },
    });
    await ready();
    pool.publish(weights(1));
    await clock.run(clock.now() + 60);
    workers[2]?.end();
    workers[3]?.end();
    for (let number = 2; number <= 30; number++) {
      pool.publish(weights(number));
      for (let tenth = 0; tenth < 10; tenth++) {
        await clock.run(clock.now() + 6);
        const loading = [0, 1].filter(index => workers[index]?.calls.some(({ kind }) => kind === 'load'));
        if (number > 10) expect(loading.length).toBeLessThan(2);
      }
    }
    expect(pool.versions().filter(each => each === undefined)).toHaveLength(2);
  });

  test('twice with the same request has that request rejected', async () => {
    const { ask, workers, ready, decided, settle } = pooled();
    await ready();
    void ask(1);
    for (const worker of workers) {
      worker.end();
      await settle();
    }
    expect(decided).toEqual(['0 1: policy worker 1: 2 workers ended while they decided this request']);
  });

  test('while it is idle is replaced at once, and counts against no request', async () => {
    const { clock, workers, ask, ready, answer, decided, settle } = pooled();
    await ready();
    for (const worker of [...workers]) worker.end();
    await settle();
    void ask(1);
    await clock.run(1000);
    await answer(2, 3);
    await answer(2);
    expect(decided).toEqual(['1000 1: 0']);
  });

  test('has the requests of its batch decided one by one, so that only the one that ends another is rejected', async () => {
    const { clock, workers, ask, ready, held, decided } = pooled({ maxWaitMs: 10 });
    await ready();
    for (const number of [1, 2, 3, 4]) void ask(number);
    expect(held(0)).toEqual(['1,2,3,4']);
    workers[0]?.end();
    for (let second = 1; second <= 20; second++) {
      await clock.run(1000 * second);
      for (const worker of workers)
        if (worker.calls[0]?.requests.some(({ seed }) => seed === 2)) worker.end();
        else worker.answer();
    }
    await clock.run(21_000);
    expect(decided.map(line => line.replace(/^\d+ /, '')).sort()).toEqual([
      '1: 0',
      expect.stringMatching(/^2: policy worker \d: 2 workers ended while they decided this request$/),
      '3: 0',
      '4: 0',
    ]);
  });

  test('counts against its oldest batch alone', async () => {
    const { clock, workers, ask, ready, answer, held, decided } = pooled({
      ...{ size: 1, maxRequests: 1, maxBatchesPerWorker: 2 },
    });
    await ready();
    void ask(1);
    void ask(2);
    expect(held(0)).toEqual(['1', '2']);
    workers[0]?.end();
    await clock.run(1000);
    await answer(1);
    expect(held(1)).toEqual(['1', '2']);
    workers[1]?.end();
    await clock.run(3000);
    await answer(2);
    await answer(2);
    expect(decided).toEqual([
      '1000 1: policy worker 0: 2 workers ended while they decided this request',
      '3000 2: 0',
    ]);
  });

  test('or does not start is replaced with growing delays', async () => {
    let starts = 0;
    const { said, clock, pool } = pooled({
      size: 1,
      start: async make => {
        starts += 1;
        if (starts < 4) throw new Error('no memory');
        return make();
      },
    });
    await clock.run();
    expect(said.map(line => line.split(':')[0])).toEqual([
      '0 policy worker 0 down',
      '1000 policy worker 0 down',
      '3000 policy worker 0 down',
      '7000 policy worker 0 up',
    ]);
    expect(pool.account()).toEqual([{ deciding: 0, loading: 0, idle: 0, dead: 7000 }]);
  });
});
