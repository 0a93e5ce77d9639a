// The data of a run or of an evaluation that a comparison uses. Readers fill it; the other files compute from it.

import type { EpisodeUsage } from '../data/compare-agents.ts';
import type { EvaluationPoint, RunState } from '../protocol/daemon/state.ts';
import type { ProgramVersions } from '../run/folders/program-versions.ts';

/** A judged episode of an evaluation. Broken episodes carry no information about the agent; only their number counts. */
export interface EvaluatedEpisode {
  readonly task: string;
  readonly seed: number;
  readonly success: boolean;
  readonly steps: number;
  readonly usage?: EpisodeUsage;
}

/** The cost of a run up to a time. A kind that is not recorded is absent. */
export interface CostSample {
  readonly tokens?: number;
  readonly money?: number;
}

/** The curation at one time, as far as it is recorded. */
export interface CurationSample {
  readonly seconds: number;
  /** Groups so far: with unequal rewards, so that they train, and without. */
  readonly trainable?: number;
  readonly filtered?: number;
  readonly injections?: number;
  readonly duplicates?: number;
  readonly dropped?: number;
  /** Stored successes that the run can use. */
  readonly pool?: number;
  readonly rollouts?: number;
  readonly lengthLimit?: number;
  /** Versions that the weights of a rollout are behind those that it trains. */
  readonly staleness?: number;
  readonly maxStaleness?: number;
}

export interface TestEvaluation {
  readonly version: number;
  readonly seconds: number;
  readonly episodes: readonly EvaluatedEpisode[];
  readonly broken: number;
}

export interface RecordedRun {
  readonly kind: 'run';
  readonly name: string;
  /** `unknown` without run.json and state.json. */
  readonly status: RunState['status'] | 'unknown';
  readonly message?: string;
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
  readonly seconds?: number;
  readonly plannedSeconds?: number;
  readonly about?: RunState['about'];
  /** The settings, by their paths; as they are written if this version cannot read them. */
  readonly config?: object;
  /** The checkpoint that it started from. */
  readonly from?: string;
  readonly programs: readonly ProgramVersions[];
  readonly steps?: number;
  readonly updates?: number;
  readonly episodes?: number;
  readonly cost?: CostSample & { readonly hardwareSeconds?: number };
  /** Of the model of an agent; absent for the built-in policy. */
  readonly model?: string;
  /** Evaluations on test instances, in order, each with the cost until then. */
  readonly curve: readonly (EvaluationPoint & { readonly cost: CostSample })[];
  readonly curation: readonly CurationSample[];
  readonly tiers: Readonly<Record<string, number>>;
  /** The last one whose episodes are all recorded. */
  readonly evaluation?: TestEvaluation;
  /** Sentences: what is missing or damaged, and what to do. */
  readonly missing: readonly string[];
}

/** An evaluation of an agent, by `dartboard eval --agent`. */
export interface RecordedEvaluation {
  readonly kind: 'evaluation';
  readonly name: string;
  readonly agent: string;
  /** Of the first and the last episode. */
  readonly startedAt: number;
  readonly seconds: number;
  readonly cost?: CostSample;
  readonly steps: number;
  readonly episodes: readonly EvaluatedEpisode[];
  readonly broken: number;
  readonly missing: readonly string[];
}

export type RecordedSide = RecordedRun | RecordedEvaluation;
