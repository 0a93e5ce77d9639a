// Guests that cannot be prepared are left out, and come back.

import { beforeEach, expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { GuestList } from '../../../runtime/environments/guest/guest-list.ts';

class Guest {
  isUp = true;
  readonly host: { outage: string | undefined; hasRevert: boolean } = { outage: undefined, hasRevert: false };
  readonly api = { answers: async () => this.isUp };
  constructor(readonly address: string) {}

  fail(): void {
    this.isUp = false;
    this.host.outage = 'it does not answer.';
  }

  /** Its server answers all the time. */
  failToBeRestored(): void {
    this.host.outage = "the command './revert.sh' failed: not found.";
  }
}

let clock: VirtualClock;
let reports: string[];
let one: Guest;
let other: Guest;
let list: GuestList<Guest>;

beforeEach(() => {
  clock = new VirtualClock();
  reports = [];
  [one, other] = [new Guest('http://one:5000'), new Guest('http://other:5000')];
  list = new GuestList([one, other], {
    clock,
    health: (thing, healthy, message) => reports.push(`${thing} ${healthy ? 'up' : 'down'}: ${message}`),
  });
});

test('each guest is lent once, and again after its release', async () => {
  expect([await list.take(), await list.take()]).toEqual([one, other]);
  await expect(list.take()).rejects.toThrow(/all 2 guests are in use\. Add to 'environments\.guest\.hosts'/);
  list.release(other);
  expect(await list.take()).toBe(other);
  expect(reports).toEqual([]);
});

test('a guest that could not be prepared is left out with its address and reason, while others go on', async () => {
  await list.take();
  one.fail();
  list.release(one);
  expect(reports).toEqual([
    'guest http://one:5000 down: is left out, and the others go on: it does not answer. Restart it. It is used again after a restart, or in 1 min if it answers then.',
  ]);
  expect(await list.take()).toBe(other);
  list.release(other);
  expect(await list.take()).toBe(other);
  await expect(list.take()).rejects.toThrow(
    /no guest is free, and http:\/\/one:5000 is left out\. Restart it\./,
  );
});

test('it is used again once it answers', async () => {
  await list.take();
  await list.take();
  one.fail();
  list.release(one);
  await expect(list.take()).rejects.toThrow();
  one.isUp = true;
  expect(await list.take()).toBe(one);
  expect(reports.at(-1)).toBe('guest http://one:5000 up: answers again');
  // It was lent, so it is not lent twice.
  await expect(list.take()).rejects.toThrow(/all 2 guests are in use/);
});

test('a guest that answers all the time but cannot be prepared stays left out, longer after each failure', async () => {
  one.host.hasRevert = true;
  const absences: number[] = [];
  await list.take();
  await list.take();
  for (let failures = 0; failures < 6; failures++) {
    one.failToBeRestored();
    list.release(one);
    const leftAt = clock.now();
    let taken: Guest | undefined;
    while (taken === undefined) {
      taken = await list.take().catch(() => undefined);
      if (taken === undefined) await clock.run(clock.now() + 30_000);
    }
    expect(taken).toBe(one);
    absences.push((clock.now() - leftAt) / 60_000);
  }
  expect(absences).toEqual([1, 2, 4, 8, 10, 10]);
  expect(reports.at(-1)).toBe('guest http://one:5000 up: is tried again');
  // Once it was prepared, it counts as well again.
  one.host.outage = undefined;
  list.release(one);
  await list.take();
  one.failToBeRestored();
  list.release(one);
  expect(reports.at(-1)).toContain('restored again in 1 min.');
});

test('without such a command it is tried again after this time too, if it answers then', async () => {
  await list.take();
  await list.take();
  one.failToBeRestored();
  list.release(one);
  await expect(list.take()).rejects.toThrow(/is left out/);
  await clock.run(60_000);
  expect(await list.take()).toBe(one);
  one.fail();
  list.release(one);
  await clock.run(1_000_000);
  await expect(list.take()).rejects.toThrow(/is left out/);
});

test('with a command that restores it, a guest that does not answer is tried again after a time', async () => {
  await list.take();
  await list.take();
  one.host.hasRevert = true;
  one.fail();
  list.release(one);
  await clock.run(59_000);
  await expect(list.take()).rejects.toThrow();
  await clock.run(60_000);
  expect(await list.take()).toBe(one);
  expect(reports.at(-1)).toBe('guest http://one:5000 up: is tried again');
});

test('two desktops that look at the same time do not get the same guest', async () => {
  await list.take();
  await list.take();
  one.fail();
  list.release(one);
  await expect(list.take()).rejects.toThrow();
  one.isUp = true;
  const taken = await Promise.allSettled([list.take(), list.take()]);
  expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
