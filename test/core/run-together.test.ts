// Concurrent parts that end together.

import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import {
  linked,
  orUndefinedWhenAborted,
  runTogether,
  untilAborted,
} from '../../runtime/core/run-together.ts';

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

test('a wait for the first of several signals leaves nothing behind at the others', async () => {
  const [first, other] = [new AbortController(), new AbortController()];
  const waiting = untilAborted(other.signal, first.signal);
  first.abort();
  await waiting;
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
  await untilAborted(other.signal, first.signal);
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});

test('a linked signal is aborted with the first of several, with its reason, until it is released', () => {
  const [first, other] = [new AbortController(), new AbortController()];
  const [open, released] = [linked(other.signal, first.signal), linked(other.signal, first.signal)];
  released.release();
  first.abort('enough');
  expect([open.over.signal.reason, released.over.signal.aborted]).toEqual(['enough', false]);
  open.release();
  const late = linked(other.signal, first.signal);
  expect(late.over.signal.reason).toBe('enough');
  late.release();
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});
