// One collection or evaluation: its request, its progress, and the clients that wait for changes.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { Followers } from '../core/followers.ts';
import type { RunId, TaskId, TrajectoryId } from '../core/ids.ts';
import { SuccessPool } from '../data/pool/pool.ts';
import type { TrajectoryStore } from '../data/store.ts';
import type { AttemptRow, CollectionState } from '../protocol/daemon/collection.ts';
import { type EpisodeResult, MAX_RESULTS } from '../protocol/daemon/episode-result.ts';
import type { DaemonParams, DaemonResults } from '../protocol/daemon/messages.ts';
import type { ModuleEntries } from '../run/modules.ts';
import { type CollectingOptions, collectAttempts } from './collect-attempts.ts';
import { hardestFirst, roundRobin } from './plan.ts';
import type { Player } from './player.ts';
import { playerOf } from './players.ts';

/** A request of a client, with its configuration validated. */
export interface CollectRequest extends Omit<DaemonParams<'collect.start'>, 'config'> {
  readonly config: Config;
}

export interface CollectContext {
  readonly store: TrajectoryStore;
  /** The folder of the runs. */
  readonly root: string;
  readonly entries: Pick<ModuleEntries, 'host' | 'worker'>;
  /** A run trains on this machine and has priority. */
  readonly isGuest: boolean;
  /** The variables with the keys of agents. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Abandons the start of a collection. */
  readonly closing: AbortSignal;
  /** Called for each trajectory that enters the pool. */
  readonly accepted: (id: TrajectoryId) => Promise<void>;
  readonly clock: Clock;
}

/** Plays until all instances are played or the signal is aborted. Resolves with the members of the pool per task. */
type Play = (
  signal: AbortSignal,
  tell: Pick<CollectingOptions, 'finished' | 'progress' | 'problem'>,
) => Promise<CollectionState['members']>;

export class Collection {
  /** The run whose weights play, if it belongs to this workspace. */
  readonly run: RunId | undefined;
  /** Never rejects: the state contains the outcome. */
  readonly over: Promise<void>;
  readonly #stop = new AbortController();
  readonly #player: Player;
  readonly #episodes: EpisodeResult[] = [];
  readonly #followers = new Followers();
  readonly #clock: Clock;
  #state: CollectionState;

  private constructor(first: CollectionState, player: Player, play: Play, clock: Clock) {
    this.#state = first;
    this.#clock = clock;
    this.#player = player;
    this.run = player.run;
    const { signal } = this.#stop;
    const tell = {
      finished: (episode: EpisodeResult) => void this.#episodes.push(episode),
      progress: (rows: readonly AttemptRow[]) => this.#update({ rows: [...rows], problem: undefined }),
      // Failures that the end causes are not reported.
      problem: (message: string) => signal.aborted || this.#update({ problem: message }),
    };
    this.over = play(signal, tell).then(
      members => this.#update({ members, status: signal.aborted ? 'stopped' : 'ended', problem: undefined }),
      (error: unknown) => this.#update({ status: 'failed', message: messageOf(error) }),
    );
  }

  /** Rejects when the request cannot be met. */
  static async begin(name: string, request: CollectRequest, context: CollectContext): Promise<Collection> {
    const player = await playerOf(name, request, context);
    try {
      return await Collection.#begin(name, request, context, player);
    } catch (error) {
      await player.source.close?.();
      throw error;
    }
  }

  static async #begin(
    name: string,
    { evaluates, accepts, who, minutes }: CollectRequest,
    { store, accepted, clock }: CollectContext,
    player: Player,
  ): Promise<Collection> {
    const { source, suite, tasks, instances: count, told, agent } = player;
    const pool = new SuccessPool(store);
    const seeds = Array.from({ length: count }, (_, index) => suite.seed(evaluates ?? 'train', index));
    const instances =
      evaluates === undefined
        ? hardestFirst(tasks, seeds, {
            rates: await ratesOf(store, tasks),
            members: await pool.instances(tasks),
          })
        : roundRobin(tasks, seeds);
    const offer = async (id: TrajectoryId, by: string): Promise<void> => {
      await pool.offer(id, by);
      await accepted(id);
    };
    const keeping = {
      ...{ source, store, pool: { offer }, accepts: accepts ? who : undefined },
      keeps: evaluates === undefined ? 'successes' : 'everything',
      clock,
    } as const;
    const members = async () => sizesOf(await pool.sizes(), tasks);
    const play: Play = async (signal, tell) => {
      try {
        await collectAttempts(instances, { ...keeping, ...tell }, signal);
      } finally {
        await source.close?.();
      }
      return members();
    };
    const counts = {
      instances: instances.length,
      tasks: tasks.length,
      tries: instances.length * source.times,
    };
    const first: CollectionState = {
      ...{ collection: name, change: 0, status: 'playing', told, accepts, ...counts },
      ...(evaluates !== undefined && { evaluates }),
      ...(agent !== undefined && { agent }),
      ...{ rows: [], members: await members() },
    };
    const begun = new Collection(first, player, play, clock);
    if (minutes !== undefined) begun.#endAfter(60_000 * minutes);
    return begun;
  }

  get state(): CollectionState {
    return this.#state;
  }

  /** Resolves with the state when it differs from the one with this number, or after a while; at once when it is over. */
  async after(change: number): Promise<CollectionState> {
    if (this.#state.change === change && this.#state.status === 'playing')
      await this.#followers.wait(this.#clock);
    return this.#state;
  }

  /** Finished episodes from this number on, as many as fit into a reply. */
  results(from: number): DaemonResults['collect.results'] {
    const { source } = this.#player;
    const spent = source.spent?.();
    return {
      episodes: this.#episodes.slice(from, from + MAX_RESULTS),
      failedRequests: { ...source.failedRequests?.() },
      ...(spent !== undefined && { spent }),
    };
  }

  /** Resolves when nothing plays. */
  async cancel(): Promise<void> {
    this.#stop.abort();
    await this.over;
  }

  #endAfter(milliseconds: number): void {
    const over = new AbortController();
    this.#clock.sleep(milliseconds, over.signal).then(
      () => this.#stop.abort(),
      // The collection ended before its time limit.
      () => undefined,
    );
    void this.over.then(() => over.abort());
  }

  #update(change: Partial<CollectionState>): void {
    this.#state = { ...this.#state, ...change, change: this.#state.change + 1 };
    this.#followers.tell();
  }
}

const sizesOf = (
  sizes: ReadonlyMap<TaskId, number>,
  tasks: readonly TaskId[],
): Readonly<Record<string, number>> => Object.fromEntries(tasks.map(task => [task, sizes.get(task) ?? 0]));

async function ratesOf(
  store: TrajectoryStore,
  tasks: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, number>> {
  const rates = await store.index.rates({ filter: { tasks, purposes: ['train', 'collect'] } });
  return new Map(
    rates.filter(({ trials }) => trials > 0).map(({ task, successes, trials }) => [task, successes / trials]),
  );
}
