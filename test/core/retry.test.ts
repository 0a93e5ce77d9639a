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

test('retry repeats the work with backoff until it succeeds', async () => {
  const clock = new VirtualClock();
  const attemptedAt: number[] = [];
  const { signal } = new AbortController();
  const work = async (attempt: number) => {
    attemptedAt.push(clock.now());
    if (attempt < 4) throw new Error(`attempt ${attempt}`);
    return attempt;
  };
  const result = retry(work, { clock, signal, backoff: BACKOFF });
  await clock.run();
  expect(await result).toBe(4);
  expect(attemptedAt).toEqual([0, 100, 300, 700]);
});

test('retry rejects with the last error, at once when it is not retryable', async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const work = async (attempt: number) => {
    throw new Error(`attempt ${attempt}`);
  };
  const limited = retry(work, { clock, signal, maxAttempts: 2 }).catch(String);
  const refused = retry(work, { clock, signal, isRetryable: () => false }).catch(String);
  await clock.run();
  expect([await limited, await refused]).toEqual(['Error: attempt 2', 'Error: attempt 1']);
});

test('retry ends during a delay when its signal is aborted', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const ended = retry(() => Promise.reject(new Error('busy')), { clock, signal: stop.signal }).catch(String);
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
