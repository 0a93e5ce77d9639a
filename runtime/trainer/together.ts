// Several things that are done at once and end together.

import { setMaxListeners } from 'node:events';

/**
 * Begins all of them; each is given a signal that is aborted when the first of them ends, or when this one is. Resolves once all have
 * ended, and then rejects with the first failure.
 */
export async function together(
  signal: AbortSignal,
  parts: readonly ((over: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const over = new AbortController();
  // Every part waits by it.
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

/** What was awaited; undefined where it came to nothing because all is over. */
export async function unlessOver<T>(over: AbortSignal, awaited: Promise<T>): Promise<T | undefined> {
  try {
    return await awaited;
  } catch (error) {
    if (over.aborted) return undefined;
    throw error;
  }
}

/** Resolves when the first of them is aborted. */
export const ended = (...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise(resolve => {
    for (const signal of signals) {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    }
  });

/** Rejects where that does, and says nothing where it only ends. */
export const failureOf = (work: Promise<unknown>): Promise<never> =>
  work.then(() => new Promise<never>(() => {}));
