// A work queue over leases keeps the laws of every queue. Its own laws are about holders that sleep.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { LeasedQueue } from '../../runtime/fabric/leased-queue.ts';
import { EmbeddedLeaseQueue } from '../lease/embedded-leases.ts';
import { queueLaws } from './contract.ts';

const TTL_MS = 30_000;

const opened = () => {
  const clock = new VirtualClock();
  const leases = new EmbeddedLeaseQueue<number>({ ttlMs: TTL_MS, clock });
  let ids = 0;
  /** By the clock of its process. */
  const queueBy = (own = clock) =>
    new LeasedQueue({ name: 'numbers', leases, nextId: () => `${ids++}`, clock: own });
  return { clock, queueBy };
};

queueLaws('leased', async () => {
  const queue = opened().queueBy();
  return { queue, close: () => queue.close() };
});

test('a taker keeps its item for longer than a lease', async () => {
  const { clock, queueBy } = opened();
  const queue = queueBy();
  await queue.put(1);
  const held = await queue.taker().take();
  await clock.run(clock.now() + 10 * TTL_MS);
  expect(await queue.taker().tryTake()).toBeUndefined();
  await held.acknowledge();
  expect(await queue.depth()).toEqual({ waiting: 0, taken: 0 });
});

test('the item of a taker that sleeps goes to another one, and the sleeper changes nothing', async () => {
  const { clock, queueBy } = opened();
  const [sleeper, other] = [queueBy(new VirtualClock()), queueBy()];
  await sleeper.put(1);
  const slept = await sleeper.taker().take();
  await clock.run(clock.now() + 2 * TTL_MS);
  const again = await other.taker().take();
  expect([again.item, again.attempt]).toEqual([1, 2]);
  await slept.acknowledge();
  await slept.giveBack();
  expect(await other.depth()).toEqual({ waiting: 0, taken: 1 });
  await again.acknowledge();
  expect(await other.depth()).toEqual({ waiting: 0, taken: 0 });
});

test('a closed queue gives back what its takers hold', async () => {
  const { queueBy } = opened();
  const [leaving, other] = [queueBy(), queueBy()];
  await leaving.put(1);
  await leaving.taker().take();
  await leaving.close();
  expect(await other.taker().take()).toMatchObject({ item: 1, attempt: 2 });
});
