// Checks after a reply that its server still has the weights that it should have: a server that was restarted meanwhile has others.

import type { Clock } from '../../core/clock.ts';
import { EndpointError } from '../failure.ts';
import { repeated } from '../repeated-request.ts';

/**
 * The result resolves with undefined if the server does not answer. Callers that ask before a check starts share it. None gets the result of
 * a check that started before it asked: that result could be older than its reply.
 */
export function confirmation(
  hasWeights: (signal: AbortSignal) => Promise<boolean>,
  clock: Clock,
): () => Promise<boolean | undefined> {
  const { signal } = new AbortController();
  const check = async () => {
    try {
      return await repeated(() => hasWeights(signal), clock, signal);
    } catch (error) {
      if (error instanceof EndpointError) return undefined;
      throw error;
    }
  };
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<boolean | undefined> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const started = check();
      // Its caller gets the error.
      running = started.catch(() => undefined);
      return started;
    });
    return next;
  };
}
