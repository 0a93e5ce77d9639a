// A daemon that plays one collection at a time, as the test scripts it. It checks requests like the real one.

import type { DaemonClient } from '../../../extension/daemon/client.ts';
import type { CollectionState } from '../../../runtime/protocol/daemon/collection.ts';
import type { EpisodeResult } from '../../../runtime/protocol/daemon/episode-result.ts';
import {
  type DaemonMethod,
  type DaemonParams,
  request as requestSchema,
} from '../../../runtime/protocol/daemon/messages.ts';

type Client = Pick<DaemonClient, 'request'>;
type ReplyTo = (params: never) => unknown;

export class ScriptedDaemon {
  readonly requests: DaemonMethod[] = [];
  readonly started: DaemonParams<'collect.start'>[] = [];
  /** Called before each reply; throws or waits to fail or delay it. */
  before: (method: DaemonMethod) => Promise<void> | void = () => undefined;
  state: CollectionState | undefined;
  #episodes: EpisodeResult[] = [];
  #waiting: (() => void)[] = [];

  readonly client: Client = {
    request: async (method, params) => {
      requestSchema.parse({ id: 1, method, params });
      this.requests.push(method);
      await this.before(method);
      const reply = this.#replies[method];
      if (reply === undefined) throw new Error(`The test has no reply to '${method}'.`);
      return (await reply(params as never)) as never;
    },
  };

  /** An episode finishes. */
  finish(...episodes: readonly EpisodeResult[]): void {
    this.#episodes.push(...episodes);
    this.update({});
  }

  update(change: Partial<CollectionState>): void {
    if (this.state === undefined) throw new Error('Nothing is being collected.');
    this.state = { ...this.state, ...change, change: this.state.change + 1 };
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** A collection that somebody else has started. */
  occupy(told: string): void {
    this.state = stateOf('collect-0', told);
  }

  /** Its successor knows no collection. */
  restart(): void {
    this.state = undefined;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  readonly #replies: Readonly<Partial<Record<DaemonMethod, ReplyTo>>> = {
    'collect.now': () => (this.state?.status === 'playing' ? { collecting: this.state } : {}),
    'collect.start': (params: DaemonParams<'collect.start'>) => {
      if (this.state?.status === 'playing') throw new Error('A collection is under way.');
      this.started.push(params);
      this.#episodes = [];
      this.state = stateOf(`evaluate-${this.started.length}`, `Agent '${agentOf(params)}' at temperature 0`);
      return this.state;
    },
    'collect.follow': async ({ collection, after }: DaemonParams<'collect.follow'>) => {
      const state = this.#named(collection);
      if (state.change === after && state.status === 'playing')
        await new Promise<void>(resolve => this.#waiting.push(resolve));
      return this.#named(collection);
    },
    'collect.results': ({ collection, from }: DaemonParams<'collect.results'>) => {
      this.#named(collection);
      return { episodes: this.#episodes.slice(from, from + 1000), failedRequests: {} };
    },
    'collect.cancel': ({ collection }: DaemonParams<'collect.cancel'>) => {
      if (this.#named(collection).status === 'playing') this.update({ status: 'stopped' });
      return this.#named(collection);
    },
  };

  #named(collection: string): CollectionState {
    if (this.state?.collection === collection) return this.state;
    throw new Error(`The collection '${collection}' does not exist.`);
  }
}

const agentOf = ({ by }: DaemonParams<'collect.start'>): string => (by.kind === 'agent' ? by.agent : by.kind);

const stateOf = (collection: string, told: string): CollectionState => ({
  ...{ collection, change: 0, status: 'playing', told, instances: 1, tasks: 1, tries: 1, accepts: false },
  ...{ rows: [], members: {} },
});
