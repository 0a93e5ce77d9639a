// Follows a collection of the daemon with one long poll after another. A lost connection or a late reply does not end it.

import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import type { DaemonClient } from '../daemon/client.ts';

interface Options {
  readonly client: Pick<DaemonClient, 'request'>;
  /** Called with each state, and again with the same one after a failed request. May send requests of its own. */
  readonly seen: (state: CollectionState) => Promise<void> | void;
  /** Nobody follows any more. */
  readonly isOver?: () => boolean;
}

/** A connection that broke is restored within this number of requests; a new daemon does not know the collection. */
const MAX_FAILED_REQUESTS = 2;

/** Resolves with the last state, which is 'playing' only if nobody follows any more. */
export async function followCollection(
  first: CollectionState,
  { client, seen, isOver = () => false }: Options,
): Promise<CollectionState> {
  const failures: unknown[] = [];
  let state = first;
  for (;;) {
    try {
      await seen(state);
      if (state.status !== 'playing' || isOver()) return state;
      const { collection, change } = state;
      state = await client.request('collect.follow', { collection, after: change });
      failures.length = 0;
    } catch (error) {
      if (isOver()) return state;
      failures.push(error);
      // The first error names the cause; later ones follow from it.
      if (failures.length > MAX_FAILED_REQUESTS) throw failures[0];
    }
  }
}
