import { expect, test } from 'vitest';
import { inParallel } from '../../runtime/endpoint-check/parallel.ts';

test('works on so many items at a time, and keeps their order', async () => {
  const pending: (() => void)[] = [];
  let [running, most] = [0, 0];
  const work = inParallel([3, 1, 2, undefined, 5], 2, async item => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>(resolve => pending.unshift(resolve));
    running -= 1;
    return item;
  });
  while (running > 0) {
    pending.pop()?.();
    await new Promise(resolve => setImmediate(resolve));
  }
  expect(await work).toEqual([3, 1, 2, undefined, 5]);
  expect(most).toBe(2);
  expect(await inParallel([], 4, async () => 1)).toEqual([]);
});

test('begins no further item after a failure', async () => {
  const begun: number[] = [];
  const work = inParallel([0, 1, 2, 3], 1, async item => {
    begun.push(item);
    if (item === 1) throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(begun).toEqual([0, 1]);
});
