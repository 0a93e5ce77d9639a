// The queries of the trajectory index and their results, as plain data. answers.ts implements them.

import type { ActionKind } from '../../core/action.ts';
import type { GroupId, RunId, Seed, TaskId, TrajectoryId, Version } from '../../core/ids.ts';
import type { Purpose } from '../../core/order.ts';
import type { Instance } from '../../core/task.ts';
import type { Mark, Marked } from '../files/marks.ts';
import type { Summary } from '../files/summary.ts';

/** All conditions must match. An absent condition matches everything; an empty list matches nothing. */
export interface Filter {
  readonly run?: RunId;
  /** A suite is its tasks. */
  readonly tasks?: readonly TaskId[];
  readonly seed?: Seed;
  readonly group?: GroupId;
  readonly purposes?: readonly Purpose[];
  readonly provenances?: readonly Summary['provenance'][];
  /** With verdicts by hand in place of the evaluator's. */
  readonly outcomes?: readonly Summary['outcome'][];
  readonly label?: string;
  readonly isInPool?: boolean;
  /** Ended at or after, and before. */
  readonly since?: number;
  readonly until?: number;
  readonly steps?: Range;
  readonly maxUncertainty?: Range;
  /** Some step of it was chosen by weights of these versions. */
  readonly versions?: Range;
  /** The instruction or the task's name has it, in whatever case. */
  readonly text?: string;
}

/** What rates can be asked of: of what retention deleted no more is known. */
export type RateFilter = Pick<Filter, 'run' | 'tasks' | 'purposes'>;

/** Both ends are inclusive; an absent end is open. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export const SORTS = [
  'startedAt',
  'endedAt',
  'score',
  'steps',
  'meanUncertainty',
  'maxUncertainty',
  'oldest',
  'newest',
] as const;
export type Sort = (typeof SORTS)[number];

/** A trajectory whose file is there. `outcome` follows a verdict by hand; `score` is the evaluator's. */
export interface IndexedTrajectory extends Summary, Marked {
  /** What it was asked; a new one that somebody gave it is among the marks. */
  readonly instruction: string;
}

export interface Window {
  readonly offset: number;
  readonly limit: number;
}

export interface Page {
  /** Of all that pass the filter. */
  readonly total: number;
  readonly rows: readonly IndexedTrajectory[];
  /** What came last, for whoever wants further parts of the same list. */
  readonly upTo: number;
}

/** Of a step, where it belongs and how it was decided. */
export interface StepRow {
  readonly trajectory: TrajectoryId;
  readonly run?: RunId;
  readonly instance: Instance;
  readonly instruction: string;
  readonly outcome: Summary['outcome'];
  /** From 0. */
  readonly step: number;
  readonly kind: ActionKind;
  readonly uncertainty: number;
  readonly probability: number;
  readonly version: Version;
}

export interface StepFilter {
  readonly run?: RunId;
  readonly tasks?: readonly TaskId[];
  readonly outcomes?: readonly Summary['outcome'][];
  readonly kinds?: readonly ActionKind[];
}

/** A success that nobody has accepted or rejected yet. */
export interface ReviewCandidate {
  readonly row: IndexedTrajectory;
  /** Of its task: how many belong to the pool, and how its rollouts came out. */
  readonly members: number;
  readonly successes: number;
  readonly trials: number;
}

/** Of the success pool, and who accepted it when. */
export interface PoolMemberRow {
  readonly row: IndexedTrajectory;
  readonly who: string;
  readonly at: number;
}

/** Relabelled copies never count, broken ones only as that. What retention deleted counts like all else. */
export interface TaskRate {
  readonly task: TaskId;
  readonly successes: number;
  readonly trials: number;
  readonly broken: number;
  /** NaN where nothing was tried. */
  readonly meanScore: number;
}

export interface TaskRateInterval extends TaskRate {
  /** When its part of the time begins. */
  readonly from: number;
}

export interface StoreVolume {
  readonly count: number;
  readonly bytes: number;
}

/** The properties that retention depends on. */
export interface RetentionCandidate {
  readonly id: TrajectoryId;
  readonly bytes: number;
  readonly outcome: Summary['outcome'];
  readonly endedAt: number;
  readonly run?: RunId;
  readonly isMarked: boolean;
  readonly isInPool: boolean;
}

/** Each answer is a consistent snapshot that includes all trajectories, marks and deletions before the query. */
export interface TrajectoryIndex {
  /** What came after `upTo` is not in the list: its parts fit together, however much comes meanwhile. */
  page(
    question: {
      readonly filter: Filter;
      readonly sort: Sort;
      readonly descending: boolean;
      readonly upTo?: number;
    } & Window,
  ): Promise<Page>;
  row(id: TrajectoryId): Promise<IndexedTrajectory | undefined>;
  /** Those that are there, in no order. */
  rows(ids: readonly TrajectoryId[]): Promise<readonly IndexedTrajectory[]>;
  /**
   * The most uncertain first, of the few most uncertain ones of each trajectory but those that are measured. With `by`, so many of each task or outcome, from among
   * the first some thousands.
   */
  steps(
    question: { readonly filter: StepFilter; readonly by?: 'task' | 'outcome' } & Window,
  ): Promise<readonly StepRow[]>;
  rates(question: { readonly filter: RateFilter }): Promise<readonly TaskRate[]>;
  /**
   * For each task, and each of at most so many equal parts of the time from the first that ended to the last: of those in which any of
   * the task ended. Parts are of whole minutes, and in their order.
   */
  ratesOverTime(question: {
    readonly filter: RateFilter;
    readonly parts: number;
  }): Promise<readonly TaskRateInterval[]>;
  /**
   * Of each instance without a member in the pool one success: the newest that was collected or shown, else the newest of a rollout.
   * None of an evaluation, and no relabelled copies. Tasks with the fewest members first, of these the hardest.
   */
  waiting(
    question: { readonly run?: RunId; readonly tasks?: readonly TaskId[] } & Window,
  ): Promise<{ readonly total: number; readonly waiting: readonly ReviewCandidate[] }>;
  /** The last to be accepted first. */
  members(
    question: { readonly tasks?: readonly TaskId[] } & Window,
  ): Promise<{ readonly total: number; readonly members: readonly PoolMemberRow[] }>;
  /** How many members each task has; tasks without any are left out. */
  memberCounts(): Promise<ReadonlyMap<TaskId, number>>;
  /** Everything that was said of it, in the order of saying. */
  said(id: TrajectoryId): Promise<readonly Mark[]>;
  /**
   * Those that pass the filter, of each instance the newest `each`, the newest first. Where there are more than `limit` in all, as many
   * instances as possible have their newest.
   */
  successes(question: {
    readonly filter: Filter;
    readonly each: number;
    readonly limit: number;
  }): Promise<readonly IndexedTrajectory[]>;
  /** Of the files that are there. */
  volume(): Promise<StoreVolume>;
  /** Of the files that are there. */
  bytesByRun(): Promise<ReadonlyMap<RunId, number>>;
  /** All files that are there. */
  kept(): Promise<readonly RetentionCandidate[]>;
}
