// The laws of queues of leases as a suite for every implementation. runtime/lease/lease.ts states the laws.

import { describe, expect, onTestFinished, test } from 'vitest';
import { LeaseLost, type LeaseQueue, type WorkLease } from '../../runtime/lease/lease.ts';

/** A queue and its time. */
export interface LeaseBench {
  readonly queue: LeaseQueue<Uint8Array>;
  /** Another client of the same queue. */
  another(): Promise<LeaseQueue<Uint8Array>>;
  /** Lets time pass for the clock of the server. */
  pass(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Never expires within a test. */
const LONG_MS = 600_000;
const SHORT_MS = 1000;

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = ({ work }: WorkLease<Uint8Array>): string => new TextDecoder().decode(work);

/** `make` gives a new, empty queue each time. */
export function leaseLaws(
  name: string,
  make: (options: { readonly ttlMs: number }) => Promise<LeaseBench>,
): void {
  const opened = async (ttlMs = LONG_MS): Promise<LeaseBench> => {
    const bench = await make({ ttlMs });
    onTestFinished(() => bench.close());
    return bench;
  };
  const filled = async (count: number, ttlMs = LONG_MS) => {
    const bench = await opened(ttlMs);
    for (let index = 0; index < count; index++) await bench.queue.put(`w${index}`, bytes(`work ${index}`));
    return bench;
  };
  describe(`${name}: order and identity`, () => orderLaws(opened, filled));
  describe(`${name}: leases`, () => leaseStateLaws(filled));
  describe(`${name}: waiting`, () => waitingLaws(filled));
  describe(`${name}: expiry`, () => expiryLaws(filled));
}

type Opened = (ttlMs?: number) => Promise<LeaseBench>;
type Filled = (count: number, ttlMs?: number) => Promise<LeaseBench>;

/** A claim that finds work at once. */
async function claimed(queue: LeaseQueue<Uint8Array>): Promise<WorkLease<Uint8Array>> {
  const lease = await queue.tryClaim();
  if (lease === undefined) throw new Error('No work is waiting.');
  return lease;
}

const lost = (call: Promise<void> | undefined) => expect(call).rejects.toBeInstanceOf(LeaseLost);

/** Nothing that the holder of an ended lease does counts. */
async function expectEnded(lease: WorkLease<Uint8Array>): Promise<void> {
  await lost(lease.heartbeat());
  await lost(lease.complete());
  await lost(lease.fail());
}

function orderLaws(opened: Opened, filled: Filled): void {
  test('work leaves first in, first out, each piece to one client', async () => {
    const { queue, another } = await filled(4);
    const other = await another();
    const leases = [await claimed(queue), await claimed(other), await claimed(queue), await claimed(other)];
    expect(leases.map(({ id }) => id)).toEqual(['w0', 'w1', 'w2', 'w3']);
    expect(leases.map(text)).toEqual(['work 0', 'work 1', 'work 2', 'work 3']);
    expect(await queue.tryClaim()).toBeUndefined();
  });

  test('work that was returned leaves before work that was never leased', async () => {
    const { queue } = await filled(4);
    const leases = [await claimed(queue), await claimed(queue)];
    for (const lease of leases) await lease.fail();
    const ids = [(await claimed(queue)).id, (await claimed(queue)).id];
    expect(ids.sort()).toEqual(['w0', 'w1']);
    expect((await claimed(queue)).id).toBe('w2');
  });

  test('an id that is put again changes nothing: waiting, leased, returned or completed', async () => {
    const { queue } = await filled(1);
    const again = () => queue.put('w0', bytes('another'));
    await again();
    const first = await claimed(queue);
    await again();
    expect(await queue.tryClaim()).toBeUndefined();
    await first.fail();
    await again();
    const second = await claimed(queue);
    expect([text(second), second.attempt]).toEqual(['work 0', 2]);
    await second.complete();
    await again();
    expect(await queue.tryClaim()).toBeUndefined();
    expect(await queue.count()).toEqual({ waiting: 0, leased: 0 });
  });

  test('every text is an id', async () => {
    const { queue } = await opened();
    const ids = ['', '=', '=YQ', 'a', 'a.b', '*', '>', 'a b', 'ÄÖ ✓', '/clock', 'clock', 'x'.repeat(300)];
    for (const id of ids) await queue.put(id, bytes(id));
    expect(await queue.count()).toEqual({ waiting: ids.length, leased: 0 });
    for (const id of ids) {
      const lease = await claimed(queue);
      expect([lease.id, text(lease)]).toEqual([id, id]);
      await lease.complete();
    }
  });

  test('the count has what waits and what is leased, without completed work', async () => {
    const { queue, another } = await filled(3);
    const [one, two] = [await claimed(queue), await claimed(await another())];
    expect(await queue.count()).toEqual({ waiting: 1, leased: 2 });
    await one.complete();
    expect(await queue.count()).toEqual({ waiting: 1, leased: 1 });
    await two.fail();
    const { waiting, leased } = await queue.count();
    expect(waiting + leased).toBe(2);
  });
}

function leaseStateLaws(filled: Filled): void {
  test('attempts count from 1, and rise with each claim', async () => {
    const { queue, another } = await filled(1);
    for (const attempt of [1, 2, 3]) {
      const lease = await claimed(attempt === 2 ? await another() : queue);
      expect(lease.attempt).toBe(attempt);
      await lease.fail();
    }
  });

  test('attempts that were returned as untouched are counted, over all clients', async () => {
    const { queue, another } = await filled(1);
    const other = await another();
    const counts: number[] = [];
    for (const how of ['untouched', undefined, 'untouched', undefined] as const) {
      const lease = await claimed(counts.length % 2 === 0 ? queue : other);
      counts.push(lease.untouched);
      for (const _ of [1, 2]) await lease.fail(how);
    }
    expect(counts).toEqual([0, 1, 1, 2]);
  });

  test('a lease whose work was claimed again is lost, and cannot change the new one', async () => {
    const { queue, another } = await filled(1);
    const old = await claimed(queue);
    await old.fail();
    const present = await claimed(await another());
    await lost(old.heartbeat());
    await lost(old.complete());
    expect(await queue.tryClaim()).toBeUndefined();
    await present.heartbeat();
    await present.complete();
    expect(await queue.count()).toEqual({ waiting: 0, leased: 0 });
  });

  test('a repeated call has the same result, and another call after it is lost', async () => {
    const { queue } = await filled(2);
    const [done, returned] = [await claimed(queue), await claimed(queue)];
    for (const _ of [1, 2]) await done.complete();
    await lost(done.fail());
    await lost(done.heartbeat());
    for (const _ of [1, 2]) await returned.fail();
    await lost(returned.complete());
    await lost(returned.heartbeat());
    expect((await claimed(queue)).id).toBe(returned.id);
    expect(await queue.tryClaim()).toBeUndefined();
  });

  test('of calls at the same time one decides, and heartbeats do not disturb it', async () => {
    const { queue } = await filled(20);
    for (let index = 0; index < 20; index++) {
      const lease = await claimed(queue);
      const [beat, done, failed] = await Promise.allSettled([
        lease.heartbeat(),
        lease.complete(),
        lease.fail(),
        lease.heartbeat(),
      ]);
      expect([done.status, failed.status].sort()).toEqual(['fulfilled', 'rejected']);
      for (const each of [beat, done, failed])
        if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(LeaseLost);
      if (done.status === 'rejected') await (await claimed(queue)).complete();
    }
    expect(await queue.count()).toEqual({ waiting: 0, leased: 0 });
  });

  test('claims at the same time get different pieces', async () => {
    const { queue, another } = await filled(12);
    const clients = [queue, await another(), await another()];
    const leases = await Promise.all([...clients, ...clients, ...clients, ...clients].map(claimed));
    expect(new Set(leases.map(({ id }) => id)).size).toBe(12);
    expect(leases.map(({ attempt }) => attempt)).toEqual(leases.map(() => 1));
  });
}

function waitingLaws(filled: Filled): void {
  test('a claim waits for new work, and for work that returns', async () => {
    const { queue, another } = await filled(0);
    const other = await another();
    const first = other.claim();
    await queue.put('a', bytes('a'));
    const lease = await first;
    expect([lease.id, lease.attempt]).toEqual(['a', 1]);
    const second = queue.claim();
    await lease.fail();
    expect((await second).attempt).toBe(2);
  });

  test('an aborted claim rejects with the reason, and leases nothing', async () => {
    const { queue, another } = await filled(0);
    const [stop, reason] = [new AbortController(), new Error('enough')];
    const waiting = [queue.claim(stop.signal), (await another()).claim(stop.signal)];
    const rejected = waiting.map(each => expect(each).rejects.toBe(reason));
    stop.abort(reason);
    await Promise.all(rejected);
    await expect(queue.claim(stop.signal)).rejects.toBe(reason);
    await queue.put('a', bytes('a'));
    expect(await queue.count()).toEqual({ waiting: 1, leased: 0 });
    expect((await claimed(queue)).attempt).toBe(1);
  });

  test('work that arrives during the abort of a claim is leased, or waits', async () => {
    const { queue, another } = await filled(0);
    const other = await another();
    for (let index = 0; index < 30; index++) {
      const stop = new AbortController();
      const waiting = other.claim(stop.signal).catch(() => undefined);
      const put = queue.put(`a${index}`, bytes('a'));
      for (let turn = 0; turn < index % 10; turn++) await new Promise(resolve => setImmediate(resolve));
      stop.abort('enough');
      const [served] = await Promise.all([waiting, put]);
      await (served ?? (await queue.claim())).complete();
    }
    expect(await queue.count()).toEqual({ waiting: 0, leased: 0 });
  });
}

function expiryLaws(filled: Filled): void {
  test('work returns when its holder sends no heartbeat; then the old lease is lost', async () => {
    const { queue, another, pass } = await filled(2, SHORT_MS);
    const old = await claimed(queue);
    await (await claimed(queue)).complete();
    const [present] = await Promise.all([(await another()).claim(), pass(2 * SHORT_MS)]);
    expect([present.id, present.attempt]).toEqual([old.id, 2]);
    await expectEnded(old);
    await present.complete();
    await expectEnded(old);
    expect(await queue.count()).toEqual({ waiting: 0, leased: 0 });
  });

  test('an expired lease that nobody has claimed can still complete its work, which then never returns', async () => {
    const { queue, another, pass } = await filled(1, SHORT_MS);
    const lease = await claimed(queue);
    await pass(3 * SHORT_MS);
    await lease.complete();
    expect(await (await another()).tryClaim()).toBeUndefined();
    await pass(3 * SHORT_MS);
    expect(await queue.tryClaim()).toBeUndefined();
    expect(await queue.count()).toEqual({ waiting: 0, leased: 0 });
  });

  test('an expired lease that nobody has claimed is renewed by a heartbeat', async () => {
    const { queue, pass } = await filled(1, SHORT_MS);
    const lease = await claimed(queue);
    await pass(3 * SHORT_MS);
    await lease.heartbeat();
    await lease.complete();
    expect(await queue.count()).toEqual({ waiting: 0, leased: 0 });
  });

  test('heartbeats keep a lease, as long as they arrive', async () => {
    const { queue, another, pass } = await filled(1, SHORT_MS);
    const lease = await claimed(queue);
    const other = await another();
    for (let beat = 0; beat < 12; beat++) {
      await pass(SHORT_MS / 4);
      const beatAt = performance.now();
      await lease.heartbeat();
      if ((await other.tryClaim()) === undefined) continue;
      // The machine stood still.
      expect(performance.now() - beatAt).toBeGreaterThan(SHORT_MS);
      return;
    }
    await lease.complete();
  });
}
