// The processor time of all workers of a host.

import { expect, test } from 'vitest';
import { PeerEnded } from '../../../runtime/rpc/client.ts';
import { WorkerTimes } from '../../../runtime/run/host/worker-times.ts';

const worker = (spent: () => Promise<{ deciding: number; whole: number }>) => {
  const nothing = async () => undefined;
  return { decide: async () => [], load: nothing, pin: nothing, unpin: nothing, close: nothing, spent };
};

test('all workers count; one that ended counts with its last report', async () => {
  const times = new WorkerTimes();
  let isGone = false;
  let asked = 0;
  times.track(worker(async () => ({ deciding: 1, whole: 2 })));
  times.track(
    worker(async () => {
      asked += 1;
      if (isGone) throw new PeerEnded('policy worker ended');
      return { deciding: 10, whole: 20 };
    }),
  );
  expect(await times.sum()).toEqual({ deciding: 11, whole: 22 });
  isGone = true;
  times.track(worker(async () => ({ deciding: 100, whole: 200 })));
  expect(await times.sum()).toEqual({ deciding: 111, whole: 222 });
  expect(await times.sum()).toEqual({ deciding: 111, whole: 222 });
  expect(asked).toBe(2);
});

test('one that does not answer for a while counts with its last report until the next', async () => {
  const times = new WorkerTimes();
  const spent = [1, undefined, 3];
  times.track(
    worker(async () => {
      const whole = spent.shift();
      if (whole === undefined) throw new Error('no answer');
      return { deciding: 0, whole };
    }),
  );
  const sums = [await times.sum(), await times.sum(), await times.sum()];
  expect(sums.map(({ whole }) => whole)).toEqual([1, 1, 3]);
});
