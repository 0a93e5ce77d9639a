// One guest over many episodes: its clean state, its age, and outages.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BoundaryError } from '../../../runtime/core/failure.ts';
import type { Pixels } from '../../../runtime/core/screen.ts';
import { GuestApi } from '../../../runtime/environments/guest/guest-api.ts';
import { GuestHost } from '../../../runtime/environments/guest/guest-host.ts';
import { type FakeGuest, fakeGuest } from './fake-guest.ts';

const SCREEN: Pixels = { width: 8, height: 1, layout: 'rgb', data: new Uint8Array(24).fill(9, 0, 3) };

let guest: FakeGuest;
let now: number;
let reports: string[];
let reverts: number;
let failsToRevert: boolean;

/** Never aborted. */
const going = new AbortController().signal;

/** Pauses take no time, and deadlines never pass. */
const clock = {
  now: () => now,
  sleep: async (ms: number, signal?: AbortSignal) => {
    if (ms > 10_000)
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    now += ms;
  },
};

const hostOf = (hasRevert: boolean): GuestHost =>
  new GuestHost({
    ...{ api: new GuestApi({ url: guest.url, clock }), clock },
    screenshot: async () => SCREEN,
    revert: hasRevert
      ? async () => {
          reverts += 1;
          if (failsToRevert)
            throw new BoundaryError({ boundary: 'environment', thing: 'guest x', message: 'no snapshot.' });
        }
      : undefined,
    limits: { ageMs: 60_000, screenshots: 3 },
    report: message => reports.push(message),
  });

beforeEach(async () => {
  guest = await fakeGuest({ '/execute': [{ body: { output: '', error: '', returncode: 0 } }] });
  [now, reverts, failsToRevert, reports] = [0, 0, false, []];
});
afterEach(() => guest.close());

describe('a guest without a command that restores it', () => {
  test('is checked once, and again after a failure', async () => {
    const host = hostOf(false);
    await host.prepare(going);
    await host.prepare(going);
    expect(guest.requests).toHaveLength(1);
    host.forget();
    await host.prepare(going);
    expect(guest.requests).toHaveLength(2);
  });

  test('is reported once when it is old, also if an episode failed in between', async () => {
    const host = hostOf(false);
    await host.prepare(going);
    now += 50_000;
    host.forget();
    await host.prepare(going);
    expect(reports).toEqual([]);
    now += 20_000;
    await host.prepare(going);
    await host.prepare(going);
    expect(reports).toEqual([
      expect.stringMatching(/^It runs for long without a restart .*environments\.guest\.revert/),
    ]);
  });

  test('is reported when it has made many screenshots', async () => {
    const host = hostOf(false);
    await host.prepare(going);
    for (let shot = 0; shot < 4; shot++) host.countScreenshot();
    await host.prepare(going);
    expect(reports).toEqual([expect.stringContaining('(4 screenshots)')]);
  });

  test('that did not answer and answers again counts as restarted', async () => {
    const host = hostOf(false);
    await host.prepare(going);
    now += 70_000;
    host.forget();
    const { port } = new URL(guest.url);
    await guest.close();
    const prepared = host.prepare(going);
    // It refuses connections until it is there again.
    const before = now;
    while (now < before + 5000) await new Promise(resolve => setTimeout(resolve, 1));
    guest = await fakeGuest(
      { '/execute': [{ body: { output: '', error: '', returncode: 0 } }] },
      Number(port),
    );
    await prepared;
    reports = [];
    await host.prepare(going);
    expect(reports).toEqual([]);
  });
});

describe('a guest with a command that restores it', () => {
  test('is restored before each episode, so it is never old', async () => {
    const host = hostOf(true);
    for (let episode = 1; episode <= 3; episode++) {
      await host.prepare(going);
      for (let shot = 0; shot < 10; shot++) host.countScreenshot();
      now += 100_000;
      expect(reverts).toBe(episode);
    }
    expect(reports).toEqual([]);
  });

  test('has an outage while the command fails', async () => {
    const host = hostOf(true);
    failsToRevert = true;
    await expect(host.prepare(going)).rejects.toThrow('no snapshot.');
    expect(host.outage).toBe('no snapshot.');
    failsToRevert = false;
    await host.prepare(going);
    expect(host.outage).toBeUndefined();
  });

  test('has an outage while it does not answer, with its address in the error', async () => {
    await guest.close();
    const host = hostOf(true);
    await expect(host.prepare(going)).rejects.toThrow(
      /guest http:\/\/127\.0\.0\.1:\d+: the guest is not ready after 10 minutes/,
    );
    expect(host.outage).toMatch(/not ready after 10 minutes/);
  });
});
