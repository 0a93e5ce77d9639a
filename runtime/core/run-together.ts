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
    for (const signal of signals) {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    }
  });

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
