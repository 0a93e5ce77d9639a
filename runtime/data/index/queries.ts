// The queries of the trajectory index and their results, as plain data.

import type { ActionKind } from '../../core/action.ts';
import type { GroupId, RunId, Seed, TaskId, TrajectoryId, Version } from '../../core/ids.ts';
import type { Purpose } from '../../core/order.ts';
import type { Instance } from '../../core/task.ts';
import type { EntropyEstimator } from '../../core/trace.ts';
import type { ReviewOrder, ReviewReason } from '../../protocol/daemon/annotation.ts';
import type { FleetRun } from '../../protocol/daemon/fleet.ts';
import type { SORTS } from '../../protocol/daemon/trajectories.ts';
import type { Mark, Marked, PoolVote } from '../files/marks.ts';
import type { Suggestion } from '../files/suggestions.ts';
import type { Summary } from '../files/summary.ts';

/** All conditions must match. An absent condition matches everything; an empty list matches nothing. */
export interface Filter {
  readonly run?: RunId;
  readonly tasks?: readonly TaskId[];
  readonly seed?: Seed;
  readonly group?: GroupId;
  readonly purposes?: readonly Purpose[];
  readonly provenances?: readonly Summary['provenance'][];
  /** A manual verdict overrides the evaluator's. */
  readonly outcomes?: readonly Summary['outcome'][];
  readonly label?: string;
  readonly isInPool?: boolean;
  /** The end of the episode: `since` is inclusive, `until` exclusive. */
  readonly since?: number;
  readonly until?: number;
  readonly steps?: Range;
  readonly maxUncertainty?: Range;
  /** At least one step was chosen by weights of these versions. */
  readonly versions?: Range;
  /** Names of agents; the built-in agent also names trajectories that no agent played. */
  readonly agents?: readonly string[];
  /** Part of the instruction or of the task id, in any case. */
  readonly text?: string;
}

/** An episode of an agent, for comparisons. */
export interface PlayedEpisode extends Pick<Summary, 'outcome' | 'steps' | 'replies'> {
  /** 'compact' for the built-in agent. */
  readonly agent: string;
  readonly instance: Instance;
}

/** The conditions of rates, which include trajectories that retention deleted. */
export type RateFilter = Pick<Filter, 'run' | 'tasks' | 'purposes'>;

/** Both ends are inclusive; an absent end is open. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export type Sort = (typeof SORTS)[number];

/** A trajectory whose file exists. `outcome` follows a manual verdict; `score` is the evaluator's. */
export interface IndexedTrajectory extends Summary, Marked {
  /** The original instruction; a corrected one is in `newInstruction`. */
  readonly instruction: string;
}

export interface Window {
  readonly offset: number;
  readonly limit: number;
}

export interface Page {
  /** The number of all trajectories that match the filter. */
  readonly total: number;
  readonly rows: readonly IndexedTrajectory[];
  /** The number of the newest trajectory. Queries for further pages of the same list pass it. */
  readonly upTo: number;
}

/** One step with its decision. */
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
  /** Absent, like the estimator, for the built-in agent. */
  readonly agent?: string;
  readonly estimator?: EntropyEstimator;
}

export interface StepFilter {
  readonly run?: RunId;
  readonly tasks?: readonly TaskId[];
  readonly outcomes?: readonly Summary['outcome'][];
  readonly kinds?: readonly ActionKind[];
  readonly agents?: readonly string[];
}

/** A trajectory that waits for a vote. */
export interface ReviewCandidate {
  readonly row: IndexedTrajectory;
  /** Why a decision on it teaches much. */
  readonly reasons: readonly ReviewReason[];
  /** The newest one of a model agent. */
  readonly suggestion?: Suggestion;
  /** Of its task: the pool members and the results of rollouts. */
  readonly members: number;
  readonly successes: number;
  readonly trials: number;
}

/** The votes of people on a trajectory, and the suggestions of agents. */
export interface SuggestedVotes {
  readonly votes: readonly PoolVote[];
  readonly suggestions: readonly Suggestion[];
}

/** A member of the success pool, with author and time of its acceptance. */
export interface PoolMemberRow {
  readonly row: IndexedTrajectory;
  readonly who: string;
  readonly at: number;
}

/** Includes trajectories that retention deleted, and excludes relabelled copies. Broken trajectories are not trials. */
export interface TaskRate {
  readonly task: TaskId;
  readonly successes: number;
  readonly trials: number;
  readonly broken: number;
}

export interface TaskRateInterval extends TaskRate {
  /** The start of the interval. */
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

/** Each result is a consistent snapshot that includes all trajectories, marks and deletions before the query. */
export interface TrajectoryIndex {
  /** Excludes trajectories newer than `upTo`, so that the pages of a list fit together while others arrive. */
  page(
    query: {
      readonly filter: Filter;
      readonly sort: Sort;
      readonly descending: boolean;
      readonly upTo?: number;
    } & Window,
  ): Promise<Page>;
  row(id: TrajectoryId): Promise<IndexedTrajectory | undefined>;
  /** In no particular order; missing trajectories are omitted. */
  rows(ids: readonly TrajectoryId[]): Promise<readonly IndexedTrajectory[]>;
  /**
   * Most uncertain first. Searches the few most uncertain steps of each trajectory that is not an evaluation. With `by`, the
   * window is of each task or outcome, among the few thousand most uncertain steps.
   */
  steps(
    query: { readonly filter: StepFilter; readonly by?: 'task' | 'outcome' } & Window,
  ): Promise<readonly StepRow[]>;
  rates(query: { readonly filter: RateFilter }): Promise<readonly TaskRate[]>;
  /**
   * Divides the time between the first and last end of an episode into at most `parts` equal intervals of whole minutes. Returns the
   * rates of each interval, in order of time. Intervals without an episode of a task are omitted.
   */
  ratesOverTime(query: {
    readonly filter: RateFilter;
    readonly parts: number;
  }): Promise<readonly TaskRateInterval[]>;
  /**
   * The review queue: one success per instance without a pool member, the newest collected or demonstrated one, else the newest rollout.
   * Excludes evaluations and relabelled copies. With `secondOf`, the trajectories on which others voted and this person did not. With
   * `unsuggestedBy`, without those on which this agent has a suggestion.
   */
  waiting(
    query: {
      readonly run?: RunId;
      readonly tasks?: readonly TaskId[];
      readonly order?: ReviewOrder;
      readonly secondOf?: string;
      readonly unsuggestedBy?: string;
    } & Window,
  ): Promise<{ readonly total: number; readonly waiting: readonly ReviewCandidate[] }>;
  /** Latest acceptance first. */
  members(
    query: { readonly tasks?: readonly TaskId[] } & Window,
  ): Promise<{ readonly total: number; readonly members: readonly PoolMemberRow[] }>;
  /** The votes on each trajectory with at least two. */
  votes(query: { readonly run?: RunId }): Promise<readonly (readonly PoolVote[])[]>;
  /** The votes and the suggestions on each trajectory that has both. */
  suggested(query: { readonly run?: RunId }): Promise<readonly SuggestedVotes[]>;
  /** The number of members of each task; tasks without members are omitted. */
  memberCounts(): Promise<ReadonlyMap<TaskId, number>>;
  /** The agents that have played, with the number of their episodes. */
  agents(): Promise<readonly { readonly agent: string; readonly trajectories: number }[]>;
  /** The episodes that match the filter, oldest first, without relabelled copies and demonstrations. */
  played(query: { readonly filter: Filter }): Promise<readonly PlayedEpisode[]>;
  /** All marks of a trajectory, in order of creation. */
  marks(id: TrajectoryId): Promise<readonly Mark[]>;
  /**
   * The newest `each` successes of each instance that match the filter, newest first. If they exceed `limit`, as many instances as
   * possible keep their newest one.
   */
  successes(query: {
    readonly filter: Filter;
    readonly each: number;
    readonly limit: number;
  }): Promise<readonly IndexedTrajectory[]>;
  /** Number and total size of the existing files. */
  volume(): Promise<StoreVolume>;
  /** Size of the existing files of each run. */
  bytesByRun(): Promise<ReadonlyMap<RunId, number>>;
  /** The newest runs of the other workspaces in the same database; undefined if the index is a file of this workspace. */
  fleet(): Promise<readonly FleetRun[] | undefined>;
  /** All existing files. */
  kept(): Promise<readonly RetentionCandidate[]>;
}
