// The contract between whoever runs an episode and the workers that decide for it, and the weights they decide with.
// What is inside an observation or a blob of weights is the policy module's affair; here both are bytes with a name.

import type { Action } from './action.ts';
import type { Candidate, Decision } from './decision.ts';
import type { Seed, Version } from './ids.ts';

/** What a policy is shown of a screen, named as OSWorld names it. Every result says which. */
export const MODES = ['screenshot', 'a11y_tree', 'screenshot_a11y_tree'] as const;
export type Mode = (typeof MODES)[number];

/** A screen, its instruction and what came before, encoded where the desktop lives. Only this travels. */
export interface EncodedObservation {
  /** Which encoder wrote the bytes: a policy refuses an encoding that it was not made for. */
  readonly encoding: string;
  readonly bytes: Uint8Array;
}

/** Published once and never changed. */
export interface Weights {
  readonly version: Version;
  readonly blob: Uint8Array;
}

export interface DecisionRequest {
  readonly observation: EncodedObservation;
  /** Chance for this one decision. Never the same for two, or all rollouts of a group would be one rollout. */
  readonly seed: Seed;
  /** 1 samples the policy as it is; 0 takes the likeliest. */
  readonly temperature: number;
  /** The share of the choice that is made at random among the valid ones, from 0 to 1. */
  readonly exploration: number;
  /** Decide with exactly these weights, or refuse; absent, with the newest the worker has. */
  readonly version?: Version;
}

export interface Choice {
  readonly action: Action;
  /** What the pointer decisions meant, in their order: none for a key, one for a click, two for a drag. */
  readonly meant: readonly Candidate[];
  /** In the order in which they were made. */
  readonly decisions: readonly Decision[];
  readonly version: Version;
}

/**
 * Laws: a request is answered once, or rejected with a BoundaryError of the boundary `policy`; no request is rejected
 * because new weights arrive; the answer names the version that really decided.
 */
export interface PolicyPool {
  decide(request: DecisionRequest): Promise<Choice>;
}
