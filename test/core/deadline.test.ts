// A deadline ends work in time, passes on the abort of a signal, and leaves no listener at a signal that lives longer.

import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeadlineExceeded, withDeadline } from '../../runtime/core/deadline.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';

const until = (over: AbortSignal) =>
  new Promise<never>((_, reject) => over.addEventListener('abort', () => reject(over.reason)));

test('calls leave nothing behind at a signal that lives longer', async () => {
  const any = vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
    throw new Error('On Node 20 it leaves an entry at each signal.');
  });
  onTestFinished(() => any.mockRestore());
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const bounded = (work: Parameters<typeof withDeadline>[0]) =>
    withDeadline(work, { what: 'The call', ms: 1000, clock, signal });
  for (let call = 0; call < 20; call += 1) {
    await bounded(Promise.resolve());
    await bounded(async () => undefined);
    await expect(bounded(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const broken = () => {
      throw new Error('broken at once');
    };
    await expect(bounded(broken)).rejects.toThrow('broken at once');
  }
  const late = expect(bounded(until)).rejects.toBeInstanceOf(DeadlineExceeded);
  await clock.run();
  await late;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('the signal of the work is aborted by the deadline, by the signal of the call, and at the end', async () => {
  const clock = new VirtualClock();
  const seen: AbortSignal[] = [];
  const work = (over: AbortSignal) => {
    seen.push(over);
    return until(over);
  };
  const options = { what: 'The call', ms: 1000, clock };
  const late = expect(withDeadline(work, options)).rejects.toBeInstanceOf(DeadlineExceeded);
  await clock.run();
  await late;
  const stop = new AbortController();
  const stopped = withDeadline(work, { ...options, signal: stop.signal });
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(stopped).rejects.toBe(reason);
  await expect(withDeadline(work, { ...options, signal: stop.signal })).rejects.toBe(reason);
  await withDeadline(async over => void seen.push(over), options);
  expect(seen.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
});
