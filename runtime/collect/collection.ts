// One collection: what it was asked for, how far it is, and who waits to hear of it.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { RunId, TaskId, TrajectoryId } from '../core/ids.ts';
import { SuccessPool } from '../data/pool/pool.ts';
import type { TrajectoryStore } from '../data/store.ts';
import type { CollectionState } from '../protocol/daemon/collection.ts';
import type { ModuleEntries } from '../run/modules.ts';
import type { ByTask } from './attempt-counts.ts';
import { type CollectingOptions, collectSuccesses } from './collect-successes.ts';
import { hardestFirst } from './plan.ts';
import { type By, playerOf, type WantedTasks } from './players.ts';

export interface CollectAsked {
  readonly config: Config;
  /** Absent for what the weights were trained on, or for what a run here would train. */
  readonly wanted?: WantedTasks;
  readonly by: By;
  /** Of each task, from its first on. */
  readonly instances: number;
  readonly minutes?: number;
  /** What succeeds goes into the success pool at once, in the name of `who`. */
  readonly accepts: boolean;
  readonly who: string;
}

export interface CollectAround {
  readonly store: TrajectoryStore;
  /** The folder of the runs. */
  readonly root: string;
  readonly entries: Pick<ModuleEntries, 'host' | 'worker'>;
  /** Something trains on this machine meanwhile, which goes first. */
  readonly isGuest: boolean;
  /** Told of each that went into the pool. */
  readonly accepted: (id: TrajectoryId) => Promise<void>;
  readonly clock: Clock;
}

/** Plays until all is played or it is stopped; tells how far it is and what is in its way, and in the end what there is in the pool. */
type Play = (
  signal: AbortSignal,
  tell: Pick<CollectingOptions, 'progress' | 'trouble'>,
) => Promise<CollectionState['members']>;

export class Collection {
  /** Whose weights play, where they are of a run of this workspace. */
  readonly run: RunId | undefined;
  /** Never rejects: how it ended is in its state. */
  readonly over: Promise<void>;
  readonly #stop = new AbortController();
  #waiting: (() => void)[] = [];
  #state: CollectionState;

  private constructor(first: CollectionState, run: RunId | undefined, play: Play) {
    this.#state = first;
    this.run = run;
    const { signal } = this.#stop;
    const tell = {
      progress: (soFar: ByTask) => this.#become({ rows: rowsOf(soFar), trouble: undefined }),
      // What breaks because it ends is no trouble.
      trouble: (message: string) => signal.aborted || this.#become({ trouble: message }),
    };
    this.over = play(signal, tell).then(
      members => this.#become({ members, status: signal.aborted ? 'stopped' : 'ended', trouble: undefined }),
      (error: unknown) =>
        this.#become({ status: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  }

  /** Rejects where it cannot be. */
  static async begin(name: string, asked: CollectAsked, around: CollectAround): Promise<Collection> {
    const { config, by, wanted, accepts, who, minutes } = asked;
    const { store, accepted, clock } = around;
    const { source, suite, tasks, told, run } = await playerOf(by, wanted, { ...around, config });
    const pool = new SuccessPool(store);
    const seeds = Array.from({ length: asked.instances }, (_, index) => suite.seed('train', index));
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

  /** Its state, as soon as it is another than the one with this number; at once where it is over. */
  async after(change: number): Promise<CollectionState> {
    if (this.#state.change === change && this.#state.status === 'playing')
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    return this.#state;
  }

  /** Resolves once nothing plays any more. */
  async cancel(): Promise<void> {
    this.#stop.abort();
    await this.over;
  }

  #endAfter(milliseconds: number, clock: Clock): void {
    const over = new AbortController();
    clock.sleep(milliseconds, over.signal).then(
      () => this.#stop.abort(),
      () => undefined,
    );
    void this.over.then(() => over.abort());
  }

  #become(change: Partial<CollectionState>): void {
    this.#state = { ...this.#state, ...change, change: this.#state.change + 1 };
    for (const tell of this.#waiting.splice(0)) tell();
  }
}

const rowsOf = (soFar: ByTask): CollectionState['rows'] =>
  [...soFar].map(([task, tries]) => ({ task, ...tries }));

const sizesOf = (
  sizes: ReadonlyMap<TaskId, number>,
  tasks: readonly TaskId[],
): Readonly<Record<string, number>> => Object.fromEntries(tasks.map(task => [task, sizes.get(task) ?? 0]));

async function ratesOf(
  store: TrajectoryStore,
  tasks: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, number>> {
  const rates = await store.questions.rates({ filter: { tasks, purposes: ['train', 'collect'] } });
  return new Map(
    rates.filter(({ trials }) => trials > 0).map(({ task, successes, trials }) => [task, successes / trials]),
  );
}
