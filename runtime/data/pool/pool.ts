// The success pool of a workspace: trajectories that a user or a script accepted for learning. Membership is a mark, with author and time.
// Retention never deletes members.

import type { RunId, Seed, TaskId, TrajectoryId } from '../../core/ids.ts';
import type { StoredSuccess } from '../../core/stored-success.ts';
import type { Instance } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { IndexedTrajectory, PoolMemberRow } from '../index/queries.ts';
import { NoSuchTrajectory, type TrajectoryStore } from '../store.ts';
import { type PoolStatus, poolStatusOf, type SuccessSummary, selectSuccesses } from './success-selection.ts';

export class PoolError extends Error {
  override readonly name = 'PoolError';
}

/** Successes that a run starts from: more than a trainer can keep, few enough to replay within minutes. */
const MAX_SUCCESSES = 2000;
/** Own successes per instance to query: the newest may have been rejected. */
const OWN_PER_INSTANCE = 4;

/** The properties of a run that the pool depends on. */
export interface PoolRun {
  readonly run: RunId;
  readonly tasks: readonly TaskId[];
  /** Seeds of the demonstrations that the run receives. */
  readonly demonstrationSeeds: ReadonlySet<Seed>;
}

export class SuccessPool {
  readonly #store: Pick<TrajectoryStore, 'index' | 'label' | 'read'>;

  constructor(store: Pick<TrajectoryStore, 'index' | 'label' | 'read'>) {
    this.#store = store;
  }

  /** Resolves once the membership is durable. Repeating it only updates the author. */
  async accept(id: TrajectoryId, who: string): Promise<void> {
    const row = await this.#row(id);
    if (row.purpose === 'evaluate')
      throw new PoolError(
        `Cannot accept the trajectory ${id}: it belongs to an evaluation, which must not be used for training. Accept a training or collected trajectory.`,
      );
    if (row.outcome !== 'success')
      throw new PoolError(
        `Cannot accept the trajectory ${id}: its outcome is '${row.outcome}'. If it is correct, set a manual verdict first.`,
      );
    await this.#store.label(id, { kind: 'pool', isMember: true }, who);
  }

  /** Accepts a trajectory unless somebody rejected it or judged it a failure before. */
  async offer(id: TrajectoryId, who: string): Promise<void> {
    const { isInPool, verdict } = await this.#row(id);
    if (isInPool !== false && verdict !== false) await this.accept(id, who);
  }

  /** The file remains, and the trajectory leaves the review queue. */
  async reject(id: TrajectoryId, who: string): Promise<void> {
    await this.#row(id);
    await this.#store.label(id, { kind: 'pool', isMember: false }, who);
  }

  /** Members with author and time of acceptance, latest first. */
  async members(tasks: readonly TaskId[], limit = MAX_SUCCESSES): Promise<readonly PoolMemberRow[]> {
    return (await this.#store.index.members({ tasks, offset: 0, limit })).members;
  }

  /** Number of members of each task. */
  sizes(): Promise<ReadonlyMap<TaskId, number>> {
    return this.#store.index.memberCounts();
  }

  /** The instance of each member. */
  async instances(tasks: readonly TaskId[]): Promise<readonly Instance[]> {
    return (await this.members(tasks, Number.MAX_SAFE_INTEGER)).map(({ row }) => row.instance);
  }

  /** The successes that a run starts from: members, and its own earlier successes. */
  memory({ run, tasks, demonstrationSeeds }: PoolRun) {
    const { index } = this.#store;
    return {
      /** Newest first. */
      summaries: async (): Promise<readonly SuccessSummary[]> => {
        const filter = { tasks, run, purposes: ['train'], provenances: ['rollout'] } as const;
        const limit = OWN_PER_INSTANCE * MAX_SUCCESSES;
        const [members, own] = await Promise.all([
          this.members(tasks),
          index.successes({ filter, each: OWN_PER_INSTANCE, limit }),
        ]);
        return selectSuccesses(members, own);
      },
      /** The pool status of a trajectory for the run. */
      statusOf: async (id: TrajectoryId): Promise<PoolStatus> => {
        const row = await index.row(id);
        if (row === undefined || !tasks.includes(row.instance.task)) return 'out';
        const marks = await index.marks(id);
        const at = marks.findLast(({ kind }) => kind === 'pool')?.at ?? row.endedAt;
        const isReceived = row.purpose === 'demonstrate' && demonstrationSeeds.has(row.instance.seed);
        return poolStatusOf(row, at, row.run === run || isReceived);
      },
      /** Undefined if retention deleted the trajectory meanwhile. */
      load: async ({ id, ...summary }: SuccessSummary): Promise<StoredSuccess | undefined> => {
        try {
          return { trajectory: withoutImages(await this.#store.read(id)), ...summary };
        } catch (error) {
          if (error instanceof NoSuchTrajectory) return undefined;
          throw error;
        }
      },
    };
  }

  async #row(id: TrajectoryId): Promise<IndexedTrajectory> {
    const row = await this.#store.index.row(id);
    if (row !== undefined) return row;
    throw new NoSuchTrajectory(`No trajectory ${id}. It does not exist, or retention deleted it.`);
  }
}

/** Images are not used for learning, and they are most of the data. */
const withoutImages = (trajectory: Trajectory): Trajectory =>
  trajectory.frames.kind === 'png' ? { ...trajectory, frames: { kind: 'png', images: [] } } : trajectory;
