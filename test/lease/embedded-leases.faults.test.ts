// Random histories over a bad connection, in virtual time.

import { expect, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { MEMORY_MS } from '../../runtime/lease/lease.ts';
import { bytes } from './contract.ts';
import { EmbeddedLeaseQueue } from './embedded-leases.ts';
import { FaultyQueue } from './faulty.ts';
import { expectLawful, playHistory } from './history.ts';

const TTL_MS = 1000;
const PIECES = 100;
const CLIENTS = 6;

test.each(Array.from({ length: 20 }, (_, seed) => seed))('history %i is lawful', async seed => {
  const random = seeded(`leases ${seed}`);
  const clock = new VirtualClock();
  const queue = new EmbeddedLeaseQueue<Uint8Array>({ ttlMs: TTL_MS, clock });
  const clients = Array.from(
    { length: CLIENTS },
    (_, index) => new FaultyQueue(queue, random.fork(`faults ${index}`), clock),
  );
  let isOver = false;
  const playing = playHistory({
    ...{ clients, random, pieces: PIECES },
    now: () => clock.now(),
    pass: milliseconds => clock.sleep(milliseconds),
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.run(clock.now() + 100);
  const deeds = await playing;
  expectLawful(deeds, PIECES, TTL_MS);
  expect(deeds.filter(({ counts }) => !counts).length).toBeGreaterThan(0);
  // Whatever was performed late changes nothing.
  await clock.run(clock.now() + 10 * TTL_MS);
  expect(await queue.tryClaim()).toBeUndefined();
  expect(await queue.count()).toEqual({ waiting: 0, leased: 0 });
});

test('a completed id is remembered for an hour, and work for as long as it waits', async () => {
  const clock = new VirtualClock();
  const queue = new EmbeddedLeaseQueue<Uint8Array>({ ttlMs: TTL_MS, clock });
  for (const id of ['a', 'b']) await queue.put(id, bytes(id));
  const old = await queue.claim();
  await old.complete();
  await clock.run(MEMORY_MS - 1);
  await queue.put('a', bytes('again'));
  expect(await queue.count()).toEqual({ waiting: 1, leased: 0 });
  await clock.run(MEMORY_MS + 1);
  await queue.put('a', bytes('again'));
  expect(await queue.count()).toEqual({ waiting: 2, leased: 0 });
  await expect(old.fail()).rejects.toMatchObject({ name: 'LeaseLost' });
  expect([(await queue.claim()).id, (await queue.claim()).attempt]).toEqual(['b', 1]);
  await expect(old.heartbeat()).rejects.toMatchObject({ name: 'LeaseLost' });
});
