// Starts, follows and cancels collections and evaluations, for the daemon and for a terminal without one. One runs at a time, since two would share the
// processors.

import type { Config } from '../config/config.ts';
import type { RunId } from '../core/ids.ts';
import type { CollectionState } from '../protocol/daemon/collection.ts';
import type { DaemonResults } from '../protocol/daemon/messages.ts';
import { type CollectContext, Collection, type CollectRequest } from './collection.ts';

/** The requests of clients. */
export type Collections = Pick<StoredCollections, 'now' | 'start' | 'follow' | 'results' | 'cancel'>;

export class NoSuchCollection extends Error {
  override readonly name = 'NoSuchCollection';
}

export class CollectError extends Error {
  override readonly name = 'CollectError';
}

type CollectionsOptions = Omit<CollectContext, 'isGuest' | 'closing'> & {
  readonly isGuest: () => boolean;
  /**
   * The agents of the workspace. They replace those of a request: a client must not send the keys in this environment to other servers.
   * Absent where the request comes from this process.
   */
  readonly agents?: () => Promise<Config['agents']>;
};

export class StoredCollections {
  readonly #options: CollectionsOptions;
  /** The latest one, also after its end, so that clients learn how it ended. */
  #last: Collection | undefined;
  /** Never rejects. */
  #beginning: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: CollectionsOptions) {
    this.#options = options;
  }

  /** Undefined when nothing is being collected. */
  get now(): CollectionState | undefined {
    const state = this.#last?.state;
    return state?.status === 'playing' ? state : undefined;
  }

  /** Whether the weights of this run are collecting. */
  isOf(run: RunId): boolean {
    return this.now !== undefined && this.#last?.run === run;
  }

  /** Resolves when the collection has started; rejects with the reason when it cannot. */
  async start(request: CollectRequest): Promise<CollectionState> {
    if (this.#closing.signal.aborted) throw ending();
    if (this.now !== undefined || this.#beginning !== undefined)
      throw new CollectError('A collection is under way. Cancel it, or wait for its end.');
    const begun = this.#begin(request);
    const settled = () => {
      this.#beginning = undefined;
    };
    this.#beginning = begun.then(settled, settled);
    return begun;
  }

  /** Resolves when the state differs from the one with this number, or after a while; at once when it is over. */
  follow(collection: string, after: number): Promise<CollectionState> {
    return this.#named(collection).after(after);
  }

  /** Finished episodes from this number on, as many as fit into a reply. */
  results(collection: string, from: number): DaemonResults['collect.results'] {
    return this.#named(collection).results(from);
  }

  /** Successes so far stay. Resolves when nothing plays. */
  async cancel(collection: string): Promise<CollectionState> {
    const named = this.#named(collection);
    await named.cancel();
    return named.state;
  }

  /** Cancels the collection that is under way. */
  async close(): Promise<void> {
    this.#closing.abort(ending());
    await this.#beginning;
    await this.#last?.cancel();
  }

  async #begin(request: CollectRequest): Promise<CollectionState> {
    const { isGuest, agents, ...context } = this.#options;
    const config = agents === undefined ? request.config : { ...request.config, agents: await agents() };
    const kind = request.evaluates === undefined ? 'collect' : 'evaluate';
    const name = `${kind}-${Math.trunc(context.clock.now()).toString(36)}`;
    this.#last = await Collection.begin(
      name,
      { ...request, config },
      {
        ...context,
        closing: this.#closing.signal,
        isGuest: isGuest(),
      },
    );
    return this.#last.state;
  }

  #named(collection: string): Collection {
    if (this.#last?.state.collection === collection) return this.#last;
    throw new NoSuchCollection(
      `The collection '${collection}' does not exist. 'collect.now' returns the current one.`,
    );
  }
}

const ending = (): CollectError =>
  new CollectError('The collection cannot start: the program is ending. Start it again, then collect.');
