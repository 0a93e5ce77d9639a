// Who decides for whom next, and who may leave its work to take new weights: the rules of the pool as pure functions over plain
// values. Requests that wait stand in lines, one for each version that they insist on, so that a batch is of one version.

import type { Version } from '../core/ids.ts';

export interface RequestLine {
  /** Undefined for those that take the newest weights. */
  readonly version: Version | undefined;
  readonly length: number;
  /** When the first of them came. */
  readonly since: number;
}

export interface BatchRule {
  /** Requests of a batch. */
  readonly maxRequests: number;
  /** Milliseconds that a request waits for others to share its batch; 0 when it waits only while nobody is free. */
  readonly maxWaitMs: number;
}

/** From when on a line may become a batch, though a worker was free all the time. */
const readyAt = ({ length, since }: RequestLine, { maxRequests, maxWaitMs }: BatchRule): number =>
  length >= maxRequests ? Number.NEGATIVE_INFINITY : since + maxWaitMs;

/** The line that the next batch is taken from: of those that are ready, the one whose first request came first. */
export const nextLine = (
  lines: readonly RequestLine[],
  rule: BatchRule,
  now: number,
): RequestLine | undefined =>
  first(
    lines.filter(line => line.length > 0 && readyAt(line, rule) <= now),
    line => [line.since],
  );

/** When a line becomes ready by waiting; undefined where none waits. */
export const nextReady = (lines: readonly RequestLine[], rule: BatchRule): number | undefined => {
  const times = lines.filter(({ length }) => length > 0).map(line => readyAt(line, rule));
  return times.length === 0 ? undefined : Math.min(...times);
};

/** A worker as the rules see it. */
export interface WorkerState {
  readonly phase: Phase;
  /** The newest weights that it has taken; undefined before the first. */
  readonly version: Version | undefined;
  /** What it holds, and has not answered. */
  readonly batches: number;
  readonly requests: number;
  /** Counts up with every batch that is given: this is when it was given its last one. */
  readonly turn: number;
}

/**
 * dead: it ended, or has not started yet. serving: takes batches. draining: answers what it holds, and takes nothing, so that
 * it can load. loading: takes new weights.
 */
export type Phase = 'dead' | 'serving' | 'draining' | 'loading';

/** Who gets the next batch: the worker with the fewest requests in flight; of several, who has been without one for longest. */
export const nextWorker = <W extends WorkerState>(
  workers: readonly W[],
  mostBatches: number,
): W | undefined =>
  first(
    workers.filter(
      ({ phase, version, batches }) => phase === 'serving' && version !== undefined && batches < mostBatches,
    ),
    ({ requests, turn }) => [requests, turn],
  );

/**
 * Who begins to take the newest weights now. No more than `atOnce` that could go on serving do so at a time; those with least to
 * answer begin, since they are through soonest. Who has no weights at all serves nobody, and need not wait for others.
 */
export const workersToSwap = <W extends WorkerState>(
  workers: readonly W[],
  newest: Version,
  atOnce: number,
): readonly W[] => {
  const behind = workers.filter(({ phase, version }) => phase === 'serving' && version !== newest);
  const room = Math.max(0, atOnce - workers.filter(isSwapping).length);
  const serving = behind.filter(({ version }) => version !== undefined);
  return [
    ...behind.filter(({ version }) => version === undefined),
    ...serving.sort((a, b) => a.requests - b.requests || a.turn - b.turn).slice(0, room),
  ];
};

/** It had weights to serve with, and does not because of others. */
export const isSwapping = ({ phase, version }: WorkerState): boolean =>
  version !== undefined && (phase === 'draining' || phase === 'loading');

/** The one with the least key; of equal ones the first. */
function first<T>(all: readonly T[], keyOf: (one: T) => readonly number[]): T | undefined {
  let best: { readonly one: T; readonly key: readonly number[] } | undefined;
  for (const one of all) {
    const key = keyOf(one);
    if (best === undefined || isLess(key, best.key)) best = { one, key };
  }
  return best?.one;
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0);
}
