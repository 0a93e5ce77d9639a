import { expect, test } from 'vitest';
import { DeadlineExceeded, withDeadline } from '../../runtime/core/deadline.ts';
import { backoffMs, retry } from '../../runtime/core/retry.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';

const BACKOFF = { firstMs: 100, maxMs: 1000 };

test('backoff doubles with each failure up to the maximum', () => {
  expect([0, 1, 2, 3, 4, 5, 60].map(failures => backoffMs(failures, BACKOFF))).toEqual([
    0, 100, 200, 400, 800, 1000, 1000,
  ]);
});

test('retry repeats the work with backoff until it succeeds, and reports each failure', async () => {
  const clock = new VirtualClock();
  const attemptedAt: number[] = [];
  const reported: unknown[] = [];
  const work = async () => {
    attemptedAt.push(clock.now());
    if (attemptedAt.length < 4) throw new Error(`attempt ${attemptedAt.length}`);
    return 'done';
  };
  const failed = (...failure: readonly unknown[]) => reported.push(failure);
  const result = retry(work, { clock, signal: new AbortController().signal, failed });
  await clock.run();
  expect(await result).toBe('done');
  expect(attemptedAt).toEqual([0, 1000, 3000, 7000]);
  expect(reported).toEqual([
    [new Error('attempt 1'), 1, 1000],
    [new Error('attempt 2'), 2, 2000],
    [new Error('attempt 3'), 3, 4000],
  ]);
});

test('retry ends during a delay when its signal is aborted', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const options = { clock, signal: stop.signal, failed: () => undefined };
  const ended = retry(() => Promise.reject(new Error('busy')), options).catch(String);
  await clock.run(500);
  stop.abort(new Error('stopped'));
  expect(await ended).toBe('Error: stopped');
});

test('a deadline rejects work that is late, and leaves other work alone', async () => {
  const clock = new VirtualClock();
  const works = (ms: number) => clock.sleep(ms).then(() => ms);
  const bounded = (ms: number) => withDeadline(works(ms), { what: 'The drawing', ms: 1000, clock });
  const early = bounded(999);
  const late = bounded(1001).catch((error: unknown) => error);
  await clock.run();
  expect(await early).toBe(999);
  expect(await late).toEqual(new DeadlineExceeded('The drawing', 1000));
  expect(String(await late)).toContain('The drawing did not finish within 1 s.');
});
