// Random clients of one queue, and the check of all that they did. Times are of one clock, at the client: a call was performed between its
// start and its end.

import { expect } from 'vitest';
import type { Random } from '../../runtime/core/rng.ts';
import { LeaseLost, type LeaseQueue, type WorkLease } from '../../runtime/lease/lease.ts';
import { bytes } from './contract.ts';

interface Deed {
  readonly kind: 'claim' | 'heartbeat' | 'complete' | 'fail';
  readonly id: string;
  readonly attempt: number;
  readonly start: number;
  readonly end: number;
  /** False if the lease was lost. */
  readonly counts: boolean;
}

export interface HistoryOptions {
  readonly clients: readonly LeaseQueue<Uint8Array>[];
  readonly random: Random;
  readonly pieces: number;
  readonly now: () => number;
  readonly pass: (milliseconds: number) => Promise<void>;
}

/** A call whose outcome is unknown. It is repeated. */
export class CallLost extends Error {}

/** Resolves when all work is completed. */
export async function playHistory(options: HistoryOptions): Promise<readonly Deed[]> {
  const { clients, random, pieces, now, pass } = options;
  const deeds: Deed[] = [];
  const open = new Set(Array.from({ length: pieces }, (_, index) => `w${index}`));

  const insist = async <T>(call: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof CallLost)) throw error;
      }
    }
  };

  const attempted = async (kind: 'heartbeat' | 'complete' | 'fail', lease: WorkLease<Uint8Array>) => {
    const start = now();
    const counts = await insist(() => lease[kind]()).then(
      () => true,
      (error: unknown) => {
        if (error instanceof LeaseLost) return false;
        throw error;
      },
    );
    deeds.push({ kind, id: lease.id, attempt: lease.attempt, start, end: now(), counts });
    if (kind === 'complete' && counts) open.delete(lease.id);
  };

  const work = async (queue: LeaseQueue<Uint8Array>, own: Random): Promise<void> => {
    const { ttlMs } = queue;
    while (open.size > 0) {
      const start = now();
      const lease = await insist(() => queue.tryClaim());
      if (lease === undefined) {
        await pass(ttlMs / 10);
        continue;
      }
      deeds.push({ kind: 'claim', id: lease.id, attempt: lease.attempt, start, end: now(), counts: true });
      const chance = own.next();
      // It vanishes.
      if (chance < 0.1) continue;
      if (chance < 0.25) await pass(1.5 * ttlMs);
      else
        for (let beats = own.int(4); beats > 0; beats--) {
          await pass(ttlMs / 4);
          await attempted('heartbeat', lease);
        }
      await attempted(chance > 0.85 ? 'fail' : 'complete', lease);
      // Some do more than they may.
      if (own.next() < 0.2) await attempted(own.next() < 0.5 ? 'fail' : 'complete', lease);
    }
  };

  const putAll = async (queue: LeaseQueue<Uint8Array>): Promise<void> => {
    for (let index = 0; index < pieces; index++)
      await insist(() => queue.put(`w${index}`, bytes(`work ${index}`)));
  };

  const [one, other] = clients;
  await Promise.all([
    ...clients.map((queue, index) => work(queue, random.fork(`client ${index}`))),
    ...[one, other].map(queue => queue && putAll(queue)),
  ]);
  return deeds;
}

export function expectLawful(deeds: readonly Deed[], pieces: number, ttlMs: number): void {
  const ids = new Set(deeds.map(({ id }) => id));
  expect(ids.size).toBe(pieces);
  for (const each of ids) {
    const of = deeds.filter(({ id }) => id === each);
    const claims = of.filter(({ kind }) => kind === 'claim');
    const completions = of.filter(({ kind, counts }) => kind === 'complete' && counts);
    expect(new Set(claims.map(({ attempt }) => attempt)).size, 'each attempt is claimed once').toBe(
      claims.length,
    );
    expect(new Set(completions.map(({ attempt }) => attempt)).size, 'one attempt completes').toBe(1);
    for (const claim of claims) {
      const later = claims.filter(({ attempt }) => attempt > claim.attempt);
      expect(
        later.filter(({ end }) => end < claim.start),
        'attempts rise with time',
      ).toEqual([]);
      const own = of.filter(({ attempt }) => attempt === claim.attempt);
      const touched = own
        .filter(({ kind, counts }) => counts && (kind === 'claim' || kind === 'heartbeat'))
        .map(({ start }) => start);
      const failedAt = own.find(({ kind }) => kind === 'fail')?.start ?? Number.POSITIVE_INFINITY;
      const lastTouch = Math.max(...touched);
      // The clocks count whole milliseconds.
      const early = later.filter(({ end }) => end < failedAt && end < lastTouch + ttlMs - 2);
      expect(early, 'nobody claims leased work').toEqual([]);
    }
    for (const done of completions) {
      const wrong = claims.filter(
        ({ attempt, start, end }) => start > done.end || (attempt > done.attempt && end < done.start),
      );
      expect(wrong, 'a stale lease completes nothing, and completed work never returns').toEqual([]);
    }
  }
}
