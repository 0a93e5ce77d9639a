// One collection: its request, its progress, and the clients that wait for changes.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { RunId, TaskId, TrajectoryId } from '../core/ids.ts';
import { SuccessPool } from '../data/pool/pool.ts';
import type { TrajectoryStore } from '../data/store.ts';
import type { AttemptRow, CollectionState } from '../protocol/daemon/collection.ts';
import type { DaemonParams } from '../protocol/daemon/messages.ts';
import type { ModuleEntries } from '../run/modules.ts';
import { type CollectingOptions, collectSuccesses } from './collect-successes.ts';
import { hardestFirst } from './plan.ts';
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
  /** Called for each trajectory that enters the pool. */
  readonly accepted: (id: TrajectoryId) => Promise<void>;
  readonly clock: Clock;
}

/** Plays until all instances are played or the signal is aborted. Resolves with the members of the pool per task. */
type Play = (
  signal: AbortSignal,
  tell: Pick<CollectingOptions, 'progress' | 'trouble'>,
) => Promise<CollectionState['members']>;

export class Collection {
  /** The run whose weights play, if it belongs to this workspace. */
  readonly run: RunId | undefined;
  /** Never rejects: the state contains the outcome. */
  readonly over: Promise<void>;
  readonly #stop = new AbortController();
  #waiting: (() => void)[] = [];
  #state: CollectionState;

  private constructor(first: CollectionState, run: RunId | undefined, play: Play) {
    this.#state = first;
    this.run = run;
    const { signal } = this.#stop;
    const tell = {
      progress: (rows: readonly AttemptRow[]) => this.#update({ rows: [...rows], trouble: undefined }),
      // Failures that the end causes are not reported.
      trouble: (message: string) => signal.aborted || this.#update({ trouble: message }),
    };
    this.over = play(signal, tell).then(
      members => this.#update({ members, status: signal.aborted ? 'stopped' : 'ended', trouble: undefined }),
      (error: unknown) => this.#update({ status: 'failed', message: messageOf(error) }),
    );
  }

  /** Rejects when the request cannot be met. */
  static async begin(name: string, request: CollectRequest, context: CollectContext): Promise<Collection> {
    const { config, by, wanted, accepts, who, minutes } = request;
    const { store, accepted, clock } = context;
    const { source, suite, tasks, told, run } = await playerOf(by, wanted, { ...context, config });
    const pool = new SuccessPool(store);
    const seeds = Array.from({ length: request.instances }, (_, index) => suite.seed('train', index));
    const instances = hardestFirst(tasks, seeds, {
      rates: await ratesOf(store, tasks),
      members: await pool.instances(tasks),
    });
    const offer = async (id: TrajectoryId, by: string): Promise<void> => {
      await pool.offer(id, by);
      await accepted(id);
    };
    const keeping = { source, store, pool: { offer }, accepts: accepts ? who : undefined };
    const members = async () => sizesOf(await pool.sizes(), tasks);
    const play: Play = async (signal, tell) => {
      await collectSuccesses(instances, { ...keeping, ...tell }, signal);
      return members();
    };
    const counts = {
      instances: instances.length,
      tasks: tasks.length,
      tries: instances.length * source.times,
    };
    const first: CollectionState = {
      ...{ collection: name, change: 0, status: 'playing', told, accepts, ...counts },
      ...{ rows: [], members: await members() },
    };
    const begun = new Collection(first, run, play);
    if (minutes !== undefined) begun.#endAfter(60_000 * minutes, clock);
    return begun;
  }

  get state(): CollectionState {
    return this.#state;
  }

  /** Resolves with the state when it differs from the one with this number; at once when the collection is over. */
  async after(change: number): Promise<CollectionState> {
    if (this.#state.change === change && this.#state.status === 'playing')
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    return this.#state;
  }

  /** Resolves when nothing plays. */
  async cancel(): Promise<void> {
    this.#stop.abort();
    await this.over;
  }

  #endAfter(milliseconds: number, clock: Clock): void {
    const over = new AbortController();
    clock.sleep(milliseconds, over.signal).then(
      () => this.#stop.abort(),
      // The collection ended before its time limit.
      () => undefined,
    );
    void this.over.then(() => over.abort());
  }

  #update(change: Partial<CollectionState>): void {
    this.#state = { ...this.#state, ...change, change: this.#state.change + 1 };
    for (const resolve of this.#waiting.splice(0)) resolve();
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
