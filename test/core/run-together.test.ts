// Concurrent parts that end together.

import { expect, test } from 'vitest';
import { orUndefinedWhenAborted, runTogether } from '../../runtime/core/run-together.ts';

const untilOver = (over: AbortSignal) =>
  new Promise<void>(resolve => {
    if (over.aborted) resolve();
    over.addEventListener('abort', () => resolve(), { once: true });
  });

test('the first part to end aborts the others, and the call waits for all', async () => {
  const ended: string[] = [];
  await runTogether(new AbortController().signal, [
    async over => {
      await untilOver(over);
      await Promise.resolve();
      ended.push('other');
    },
    async () => {
      ended.push('first');
    },
  ]);
  expect(ended).toEqual(['first', 'other']);
});

test('a failure aborts the others and rejects the call', async () => {
  let isOver = false;
  const failed = runTogether(new AbortController().signal, [
    async over => {
      await untilOver(over);
      isOver = true;
    },
    async () => {
      throw new Error('broken');
    },
  ]);
  await expect(failed).rejects.toThrow('broken');
  expect(isOver).toBe(true);
});

test('the signal aborts all parts, before or while they run', async () => {
  const stop = new AbortController();
  const running = runTogether(stop.signal, [untilOver, untilOver]);
  stop.abort();
  await running;
  await runTogether(stop.signal, [untilOver]);
});

test('a rejection after an abort is ignored; any other is thrown', async () => {
  const stop = new AbortController();
  await expect(orUndefinedWhenAborted(stop.signal, Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  stop.abort();
  expect(
    await orUndefinedWhenAborted(stop.signal, Promise.reject(new Error('told to stop'))),
  ).toBeUndefined();
  expect(await orUndefinedWhenAborted(stop.signal, Promise.resolve(1))).toBe(1);
});
