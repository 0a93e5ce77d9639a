// The processor time of all workers of a host.

import { expect, test } from 'vitest';
import { WorkerTimes } from '../../../runtime/run/host/worker-times.ts';

const worker = (spent: () => Promise<{ deciding: number; whole: number }>) => {
  const nothing = async () => undefined;
  return { decide: async () => [], load: nothing, pin: nothing, unpin: nothing, close: nothing, spent };
};

test('all workers count; one that ended counts with its last report', async () => {
  const times = new WorkerTimes();
  let isGone = false;
  times.track(worker(async () => ({ deciding: 1, whole: 2 })));
  times.track(
    worker(async () => {
      if (isGone) throw new Error('ended');
      return { deciding: 10, whole: 20 };
    }),
  );
  expect(await times.sum()).toEqual({ deciding: 11, whole: 22 });
  isGone = true;
  times.track(worker(async () => ({ deciding: 100, whole: 200 })));
  expect(await times.sum()).toEqual({ deciding: 111, whole: 222 });
});
