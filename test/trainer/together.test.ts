// Several things that are done at once and end together.

import { expect, test } from 'vitest';
import { together, unlessOver } from '../../runtime/trainer/together.ts';

const untilOver = (over: AbortSignal) =>
  new Promise<void>(resolve => {
    if (over.aborted) resolve();
    over.addEventListener('abort', () => resolve(), { once: true });
  });

test('the first to end ends the others, and all have ended before it is over', async () => {
  const ended: string[] = [];
  await together(new AbortController().signal, [
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
  const failed = together(new AbortController().signal, [
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
  const running = together(stop.signal, [untilOver, untilOver]);
  stop.abort();
  await running;
  await together(stop.signal, [untilOver]);
});

test('a failure that comes of the end is none; any other is', async () => {
  const stop = new AbortController();
  await expect(unlessOver(stop.signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  stop.abort();
  expect(await unlessOver(stop.signal, Promise.reject(new Error('told to stop')))).toBeUndefined();
  expect(await unlessOver(stop.signal, Promise.resolve(1))).toBe(1);
});
