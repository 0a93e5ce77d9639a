// When the panel Desktops asks for pictures.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DesktopsPoller } from '../../../webview/desktops/poller.ts';
import type { DaemonLink } from '../../../webview/shared/link/link.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Requests per second of a daemon that answers after so many milliseconds. */
async function polled({ desktop, run, answers }: { desktop?: string; run?: string; answers: number }) {
  let count = 0;
  const requestBytes = async () => {
    count += 1;
    await new Promise(resolve => setTimeout(resolve, answers));
    return { result: { ...(run && { run }), after: count, views: [] }, bytes: new Uint8Array() };
  };
  const link: Pick<DaemonLink, 'requestBytes'> = { requestBytes: requestBytes as never };
  const poller = new DesktopsPoller({
    link: () => link as DaemonLink,
    params: () => ({ after: count, ...(desktop && { desktop }) }),
    received: async () => undefined,
    failed: error => expect.unreachable(String(error)),
  });
  poller.setActive(true);
  await vi.advanceTimersByTimeAsync(10_000);
  poller.setActive(false);
  const asked = count;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(count).toBe(asked);
  return asked / 10;
}

test('a wall is asked for four times a second', async () => {
  expect(await polled({ run: 'run', answers: 5 })).toBeCloseTo(4, 0);
});

test('one desktop is asked for again as soon as its picture has come, and not without end', async () => {
  expect(await polled({ run: 'run', desktop: 'd1', answers: 90 })).toBeGreaterThanOrEqual(11);
  expect(await polled({ run: 'run', desktop: 'd1', answers: 1 })).toBeLessThanOrEqual(26);
});

test('without a run that trains, it asks once a second', async () => {
  expect(await polled({ desktop: 'd1', answers: 5 })).toBeCloseTo(1, 0);
});
