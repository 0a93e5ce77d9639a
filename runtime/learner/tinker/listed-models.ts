// The models that a server lists.

import type { TinkerClient } from './client.ts';
import { isTinkerError, TinkerError } from './tinker-error.ts';

/** Of the models that an error names. */
const MAX_LISTED = 20;

/** Rejects if the server lists other models alone. */
export async function checkListed(
  client: TinkerClient,
  baseModel: string,
  learner: string,
  signal: AbortSignal,
): Promise<void> {
  let listed: readonly string[];
  try {
    listed = await client.models(signal);
  } catch (error) {
    // Some servers have no such route.
    if (isTinkerError(error, 'no-model', 'bad-request')) return;
    throw error;
  }
  if (listed.length > 0 && !listed.includes(baseModel))
    throw new TinkerError(
      'bad-request',
      learner,
      `${client.url} does not train '${baseModel}'. It lists ${listed.slice(0, MAX_LISTED).join(', ')}: set one of them.`,
    );
}
