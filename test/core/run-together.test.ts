// Several things that are done at once and end together.

import { expect, test } from 'vitest';
import { orUndefinedWhenAborted, runTogether } from '../../runtime/core/run-together.ts';

const untilOver = (over: AbortSignal) =>
  new Promise<void>(resolve => {
    if (over.aborted) resolve();
    over.addEventListener('abort', () => resolve(), { once: true });
  });

test('the first to end ends the others, and all have ended before it is over', async () => {
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

test('a failure ends the others too, and is what comes of it', async () => {
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

test('whoever asked can end all of them, before or while they run', async () => {
  const stop = new AbortController();
  const running = runTogether(stop.signal, [untilOver, untilOver]);
  stop.abort();
  await running;
  await runTogether(stop.signal, [untilOver]);
});

test('a failure that comes of the end is none; any other is', async () => {
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
