// The scheduling rules of the policy pool: which requests form the next batch, which worker gets it, and which workers load new weights.
// Requests wait in one line per required version, so that a batch has one version. Pure.

import { at } from '../core/at.ts';
import type { Version } from '../core/ids.ts';

export interface RequestLine {
  /** Undefined for requests that accept the newest weights. */
  readonly version: Version | undefined;
  readonly length: number;
  /** The arrival of the first request. */
  readonly since: number;
}

export interface BatchRule {
  /** The most requests in a batch. */
  readonly maxRequests: number;
  /** How long a request waits for others to share its batch. With 0 it waits only while no worker is free. */
  readonly maxWaitMs: number;
}

/** The earliest time at which a line becomes a batch. */
const readyAt = ({ length, since }: RequestLine, { maxRequests, maxWaitMs }: BatchRule): number =>
  length >= maxRequests ? Number.NEGATIVE_INFINITY : since + maxWaitMs;

/** The line of the next batch: the ready one whose first request is the oldest. */
export const nextLine = (
  lines: readonly RequestLine[],
  rule: BatchRule,
  now: number,
): RequestLine | undefined =>
  first(
    lines.filter(line => line.length > 0 && readyAt(line, rule) <= now),
    line => [line.since],
  );

/** When the next line becomes ready; undefined without lines. */
export const nextReady = (lines: readonly RequestLine[], rule: BatchRule): number | undefined => {
  const times = lines.filter(({ length }) => length > 0).map(line => readyAt(line, rule));
  return times.length === 0 ? undefined : Math.min(...times);
};

/** The scheduling state of a worker. */
export interface WorkerState {
  readonly phase: Phase;
  /** The newest weights that it has loaded; undefined before the first. */
  readonly version: Version | undefined;
  /** Batches and requests without a reply. */
  readonly batches: number;
  readonly requests: number;
  /** The number of its last batch. Batches are numbered over the whole pool. */
  readonly turn: number;
}

/**
 * dead: it ended, or has not started yet. serving: takes batches. draining: finishes its batches before it loads. loading: loads new
 * weights.
 */
export type Phase = 'dead' | 'serving' | 'draining' | 'loading';

/** The worker of the next batch: the one with the fewest requests in flight; among equals, the one whose last batch is the oldest. */
export const nextWorker = <W extends WorkerState>(workers: readonly W[], maxBatches: number): W | undefined =>
  first(
    workers.filter(
      ({ phase, version, batches }) => phase === 'serving' && version !== undefined && batches < maxBatches,
    ),
    ({ requests, turn }) => [requests, turn],
  );

/**
 * The workers that begin to load the newest weights now. At most `maxSwapping` serving workers do so at a time; those with the fewest
 * requests go first, since they drain soonest. A worker without weights serves nothing, so it loads at once.
 */
export const workersToSwap = <W extends WorkerState>(
  workers: readonly W[],
  newest: Version,
  maxSwapping: number,
): readonly W[] => {
  const behind = workers.filter(({ phase, version }) => phase === 'serving' && version !== newest);
  const room = Math.max(0, maxSwapping - workers.filter(isSwapping).length);
  const serving = behind.filter(({ version }) => version !== undefined);
  return [
    ...behind.filter(({ version }) => version === undefined),
    ...serving.sort((a, b) => a.requests - b.requests || a.turn - b.turn).slice(0, room),
  ];
};

/** It had weights to serve with, and does not because of others. */
export const isSwapping = ({ phase, version }: WorkerState): boolean =>
  version !== undefined && (phase === 'draining' || phase === 'loading');

/** The item with the lowest key; the first among equals. */
function first<T>(all: readonly T[], keyOf: (one: T) => readonly number[]): T | undefined {
  let best: { readonly one: T; readonly key: readonly number[] } | undefined;
  for (const one of all) {
    const key = keyOf(one);
    if (best === undefined || isLess(key, best.key)) best = { one, key };
  }
  return best?.one;
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index >= 0 && at(a, index) < at(b, index);
}
