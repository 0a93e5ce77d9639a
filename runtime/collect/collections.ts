// What a daemon, and a terminal without one, can do about collecting: begin, follow and cancel. One at a time: two would only take the
// same processor from each other.

import type { RunId } from '../core/ids.ts';
import type { CollectionState } from '../protocol/daemon/collection.ts';
import { type CollectAround, type CollectAsked, Collection } from './collection.ts';

export interface Collections {
  /** Undefined where nothing is collected just now. */
  readonly now: CollectionState | undefined;
  /** Resolves once it is certain that it can be; rejects with the reason where it cannot. */
  start(asked: CollectAsked): Promise<CollectionState>;
  /** As soon as it is another than the one with this number; at once where it is over. */
  follow(collection: string, after: number): Promise<CollectionState>;
  /** What was kept so far stays. Resolves once nothing plays any more. */
  cancel(collection: string): Promise<CollectionState>;
}

export class NoSuchCollection extends Error {
  override readonly name = 'NoSuchCollection';
}

export class CollectError extends Error {
  override readonly name = 'CollectError';
}

/** Whether something trains may change. */
type Around = Omit<CollectAround, 'isGuest'> & { readonly isGuest: () => boolean };

export class StoredCollections implements Collections {
  readonly #around: Around;
  /** The last, also when it is over: who follows it learns how it ended. */
  #last: Collection | undefined;
  /** Never rejects. */
  #beginning: Promise<void> | undefined;
  #isClosed = false;

  constructor(around: Around) {
    this.#around = around;
  }

  get now(): CollectionState | undefined {
    const state = this.#last?.state;
    return state?.status === 'playing' ? state : undefined;
  }

  /** Whether what is collected now is played with weights of this run. */
  isOf(run: RunId): boolean {
    return this.now !== undefined && this.#last?.run === run;
  }

  async start(asked: CollectAsked): Promise<CollectionState> {
    if (this.#isClosed) throw new CollectError('Nothing is collected any more: the program is ending.');
    if (this.now !== undefined || this.#beginning !== undefined)
      throw new CollectError(
        'Successes are being collected here already: cancel that, or wait until it has ended.',
      );
    const begun = this.#begin(asked);
    const settled = () => {
      this.#beginning = undefined;
    };
    this.#beginning = begun.then(settled, settled);
    return begun;
  }

  follow(collection: string, after: number): Promise<CollectionState> {
    return this.#named(collection).after(after);
  }

  async cancel(collection: string): Promise<CollectionState> {
    const named = this.#named(collection);
    await named.cancel();
    return named.state;
  }

  /** Cancels what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#beginning;
    await this.#last?.cancel();
  }

  async #begin(asked: CollectAsked): Promise<CollectionState> {
    const { isGuest, ...around } = this.#around;
    const name = `collect-${Math.trunc(around.clock.now()).toString(36)}`;
    this.#last = await Collection.begin(name, asked, { ...around, isGuest: isGuest() });
    return this.#last.state;
  }

  #named(collection: string): Collection {
    if (this.#last?.state.collection === collection) return this.#last;
    throw new NoSuchCollection(
      `There is no collection '${collection}' any more: 'collect.now' tells of the one under way.`,
    );
  }
}
