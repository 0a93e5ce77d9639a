// The success pool of a workspace: trajectories that somebody, or a script, accepted as worth learning from. Membership is a mark in the
// labels, so it has who and when, is never edited, and outlives every program; retention keeps what is in it.

import type { RunId, Seed, TaskId, TrajectoryId } from '../../core/ids.ts';
import type { StoredSuccess } from '../../core/stored-success.ts';
import type { Instance } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { IndexedTrajectory, PoolMemberRow } from '../index/questions.ts';
import { NoSuchTrajectory, type TrajectoryStore } from '../store.ts';
import { type PoolStatus, poolStatusOf, type SuccessSummary, selectSuccesses } from './success-selection.ts';

export class PoolError extends Error {
  override readonly name = 'PoolError';
}

/** A run goes on from so many at the most: more than a trainer can keep, and few enough to be seen again within minutes. */
const MOST = 2000;
/** Own successes of an instance that are looked at: somebody may have rejected the newest. */
const EACH = 4;

/** A run, as far as the pool has to know it. */
export interface PoolRun {
  readonly run: RunId;
  readonly tasks: readonly TaskId[];
  /** Instances of each of them that it is shown. */
  readonly shown: ReadonlySet<Seed>;
}

export class SuccessPool {
  readonly #store: Pick<TrajectoryStore, 'questions' | 'label' | 'read'>;

  constructor(store: Pick<TrajectoryStore, 'questions' | 'label' | 'read'>) {
    this.#store = store;
  }

  /** Resolves once it is durable. Once more changes nothing but who said it last. */
  async accept(id: TrajectoryId, who: string): Promise<void> {
    const row = await this.#row(id);
    if (row.purpose === 'evaluate')
      throw new PoolError(
        `The trajectory ${id} is of an evaluation: what measures must not be learned from. Accept one of training, or collect it.`,
      );
    if (row.outcome !== 'success')
      throw new PoolError(
        `The trajectory ${id} did not succeed (it came out as '${row.outcome}'): give it a verdict by hand first, if it is right after all.`,
      );
    await this.#store.label(id, { kind: 'pool', isMember: true }, who);
  }

  /** Accepts it, unless somebody rejected it before. */
  async offer(id: TrajectoryId, who: string): Promise<void> {
    if ((await this.#row(id)).isInPool !== false) await this.accept(id, who);
  }

  /** It stays where it is, and is not asked about again. */
  async reject(id: TrajectoryId, who: string): Promise<void> {
    await this.#row(id);
    await this.#store.label(id, { kind: 'pool', isMember: false }, who);
  }

  /** What is in it and who accepted it when, the last first. */
  async members(tasks: readonly TaskId[], limit = MOST): Promise<readonly PoolMemberRow[]> {
    return (await this.#store.questions.members({ tasks, offset: 0, limit })).members;
  }

  /** How many there are of each task. */
  sizes(): Promise<ReadonlyMap<TaskId, number>> {
    return this.#store.questions.memberCounts();
  }

  /** The instance of each member. */
  async instances(tasks: readonly TaskId[]): Promise<readonly Instance[]> {
    return (await this.members(tasks, Number.MAX_SAFE_INTEGER)).map(({ row }) => row.instance);
  }

  /** What a run that trains these tasks goes on from: members, and what it achieved itself in earlier lives. */
  memory(whose: PoolRun) {
    return {
      /** The newest first. */
      known: () => this.#known(whose),
      /** A member of the run's tasks; otherwise whether it may still count as what the run itself achieved or was shown. */
      standing: (id: TrajectoryId) => this.#standing(id, whose),
      /** Undefined where retention took it since it was known. */
      recollection: (known: SuccessSummary) => this.#recollection(known),
    };
  }

  async #known({ run, tasks }: PoolRun): Promise<readonly SuccessSummary[]> {
    const filter = { tasks, run, purposes: ['train'], provenances: ['rollout'] } as const;
    const [members, own] = await Promise.all([
      this.members(tasks),
      this.#store.questions.successes({ filter, each: EACH, limit: EACH * MOST }),
    ]);
    return selectSuccesses(members, own);
  }

  async #standing(id: TrajectoryId, { run, tasks, shown }: PoolRun): Promise<PoolStatus> {
    const { questions } = this.#store;
    const row = await questions.row(id);
    if (row === undefined || !tasks.includes(row.instance.task)) return 'out';
    const said = await questions.said(id);
    const at = said.findLast(({ kind }) => kind === 'pool')?.at ?? row.endedAt;
    const isShown = row.purpose === 'demonstrate' && shown.has(row.instance.seed);
    return poolStatusOf(row, at, row.run === run || isShown);
  }

  async #recollection({ id, ...known }: SuccessSummary): Promise<StoredSuccess | undefined> {
    try {
      return { trajectory: withoutPictures(await this.#store.read(id)), ...known };
    } catch (error) {
      if (error instanceof NoSuchTrajectory) return undefined;
      throw error;
    }
  }

  async #row(id: TrajectoryId): Promise<IndexedTrajectory> {
    const row = await this.#store.questions.row(id);
    if (row !== undefined) return row;
    throw new NoSuchTrajectory(
      `There is no trajectory ${id}: it was never there, or gave way to newer ones.`,
    );
  }
}

/** Nobody learns from them, and they are most of what would travel. */
const withoutPictures = (trajectory: Trajectory): Trajectory =>
  trajectory.frames.kind === 'png' ? { ...trajectory, frames: { kind: 'png', images: [] } } : trajectory;
