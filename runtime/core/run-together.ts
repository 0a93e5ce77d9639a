// Runs several parts concurrently that end together.

import { setMaxListeners } from 'node:events';

/** The signal of each part is aborted when `signal` is, or when the first part ends. Settles after all parts, with the first failure. */
export async function runTogether(
  signal: AbortSignal,
  parts: readonly ((over: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const over = new AbortController();
  // Every part adds listeners.
  setMaxListeners(0, over.signal);
  const stop = () => over.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const ends = await Promise.allSettled(parts.map(part => part(over.signal).finally(() => over.abort())));
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The awaited value, or undefined if the wait failed because the signal was aborted. */
export async function orUndefinedWhenAborted<T>(
  over: AbortSignal,
  awaited: Promise<T>,
): Promise<T | undefined> {
  try {
    return await awaited;
  } catch (error) {
    if (over.aborted) return undefined;
    throw error;
  }
}

/** Resolves when the first signal is aborted. */
export const untilAborted = (...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise(resolve => {
    const done = () => {
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    for (const signal of signals) signal.addEventListener('abort', done, { once: true });
    if (signals.some(({ aborted }) => aborted)) done();
  });

/**
 * `over` is aborted with the first of the signals, until `release`. On Node 20, AbortSignal.any leaves an entry at each signal for every call, so
 * it is unfit for signals that live long.
 */
export function linked(...signals: readonly AbortSignal[]): {
  readonly over: AbortController;
  readonly release: () => void;
} {
  const over = new AbortController();
  const stop = () => over.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) {
    // Concurrent calls share it.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop, { once: true });
  }
  if (signals.some(({ aborted }) => aborted)) stop();
  return {
    over,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', stop);
    },
  };
}

/** Rejects if `work` does, and never resolves. */
export const failureOf = (work: Promise<unknown>): Promise<never> =>
  work.then(() => new Promise<never>(() => {}));

/** Settles like the promise, unless the signal is aborted first: then `aborted` is called. */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  aborted: () => void = () => undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => {
      aborted();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
