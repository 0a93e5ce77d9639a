// The result of a comparison, as `dartboard compare --json` prints it and as the report shows it. Plain data.

import type { Interval, RateDifference } from '../data/interval.ts';
import type { CostSample, CurationSample, RecordedRun } from './record.ts';

/** Runs with one configuration but for their seeds, a single run, or an evaluation of an agent. */
export interface ArmSummary {
  /** A, B, … in the order in which they were named. */
  readonly letter: string;
  /** The settings that distinguish it, else the name of its run. */
  readonly name: string;
  readonly kind: 'runs' | 'evaluation';
  /** Names of its runs, or of the evaluation. */
  readonly members: readonly string[];
}

export interface RunRow {
  readonly arm: string;
  readonly name: string;
  readonly kind: 'run' | 'evaluation';
  readonly status: RecordedRun['status'];
  readonly message?: string;
  readonly startedAt?: number;
  readonly desktops?: string;
  readonly agent: string;
  readonly preset?: string;
  readonly mode?: string;
  readonly seed?: string;
  readonly tasks?: number;
  readonly from?: string;
  readonly seconds?: number;
  readonly plannedSeconds?: number;
  readonly steps?: number;
  readonly updates?: number;
  readonly episodes?: number;
  readonly cost?: CostSample & { readonly hardwareSeconds?: number };
  /** On test instances: the last evaluation, and the highest rate of all. */
  readonly success?: Interval;
  readonly best?: number;
  /** Its settings are recorded; false for an evaluation. */
  readonly hasSettings: boolean;
  readonly programs: RecordedRun['programs'];
}

/** A setting whose value is not the same in all arms. */
export interface SettingDifference {
  readonly path: string;
  /** One JSON text per arm; undefined if the arm has no such setting or no readable configuration. */
  readonly values: readonly (string | undefined)[];
}

export const CURVE_OVER = ['steps', 'seconds', 'tokens', 'money'] as const;
export type CurveOver = (typeof CURVE_OVER)[number];

export interface CurvePosition {
  readonly x: number;
  readonly rate: number;
  /** The 95 % interval; absent where it is unknown. */
  readonly low?: number;
  readonly high?: number;
}

export interface ArmCurve {
  readonly arm: string;
  /** Of a single run its evaluations; of several the mean over their common range, with the interval over seeds. */
  readonly mean: readonly CurvePosition[];
  /** The curve of each run. */
  readonly members: readonly { readonly run: string; readonly points: readonly CurvePosition[] }[];
}

export interface SuccessCurves {
  readonly over: CurveOver;
  /** Arms with a curve. */
  readonly arms: readonly ArmCurve[];
  /** Runs without recorded cost. */
  readonly without: readonly string[];
}

/** Fisher's exact test of two runs, or a permutation of the runs of two arms. */
export type TaskTest = 'fisher' | 'permutation';

export interface TaskDifference {
  readonly task: string;
  readonly tier?: number;
  readonly sides: readonly [Interval, Interval];
  /** The first arm minus the second. */
  readonly difference: RateDifference;
  readonly p: number;
  /** After Holm's correction over all tasks. */
  readonly adjusted: number;
}

export interface OverallTest {
  /** `tasks`: paired, each task changes its sides. `runs`: the runs change their arms. */
  readonly over: 'tasks' | 'runs';
  readonly p: number;
  /** After Holm's correction over all pairs of arms. */
  readonly adjusted: number;
  /** The smallest p that these numbers of tasks or runs allow. */
  readonly smallest: number;
  readonly isExact: boolean;
}

export interface ArmDifference {
  /** Letters. */
  readonly arms: readonly [string, string];
  readonly evaluated: readonly [readonly EvaluatedMember[], readonly EvaluatedMember[]];
  /** Instances that all runs of both arms played, and instances that only some of them played. */
  readonly instances: number;
  readonly leftOut: number;
  readonly sides: readonly [Interval, Interval];
  readonly difference: RateDifference;
  /** The test that decides comes first: over runs if both arms have several. */
  readonly tests: readonly OverallTest[];
  /** Test instances of each arm, or runs of each arm, with which this difference would probably be significant. */
  readonly needed?: { readonly of: 'instances' | 'runs'; readonly count: number };
  readonly taskTest: TaskTest;
  /** The smallest p that the test of a task allows. */
  readonly smallestTaskP: number;
  /** The largest difference in favour of the first arm first. */
  readonly tasks: readonly TaskDifference[];
  /** The task with the largest difference, and the instances of it that each run would need. */
  readonly neededForTask?: { readonly task: string; readonly trials: number };
}

/** Which evaluation of a run or of an agent the differences use. */
export interface EvaluatedMember {
  readonly name: string;
  readonly version?: number;
  readonly seconds?: number;
  readonly episodes: number;
  readonly broken: number;
}

export interface RunCuration {
  readonly run: string;
  readonly arm: string;
  readonly samples: readonly CurationSample[];
}

export interface MissingPart {
  readonly run: string;
  readonly message: string;
}

export interface RunsComparison {
  readonly format: 'dartboard-comparison-1';
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The version of Dartboard that compared. */
  readonly dartboard: string;
  readonly arms: readonly ArmSummary[];
  readonly runs: readonly RunRow[];
  readonly settings: readonly SettingDifference[];
  readonly curves: readonly SuccessCurves[];
  /** The first arm against each other one. */
  readonly differences: readonly ArmDifference[];
  readonly curation: readonly RunCuration[];
  readonly missing: readonly MissingPart[];
}

/** The limit below which a corrected p-value is called significant. */
export const SIGNIFICANT = 0.05;
