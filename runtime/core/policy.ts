// The interface between the runner of an episode and the policy workers that decide for it. Observations and weights are opaque bytes
// here; the agent module defines their content.

import type { Action } from './action.ts';
import type { Candidate, Decision } from './decision.ts';
import type { Seed, Version } from './ids.ts';

/** The part of a screen that the policy observes, with the names of OSWorld. */
export const MODES = ['screenshot', 'a11y_tree', 'screenshot_a11y_tree'] as const;
export type Mode = (typeof MODES)[number];

/** The screen, the instruction and the recent past. The process of the desktop encodes it, so that no pixels are sent. */
export interface EncodedObservation {
  /** The encoder of the bytes. A policy rejects encodings that it does not support. */
  readonly encoding: string;
  readonly bytes: Uint8Array;
}

/** Immutable after publication. */
export interface Weights {
  readonly version: Version;
  readonly blob: Uint8Array;
}

export interface DecisionRequest {
  readonly observation: EncodedObservation;
  /** The random seed of this decision. Requests must have distinct seeds; otherwise all rollouts of a group would be equal. */
  readonly seed: Seed;
  /** 1 samples from the policy; 0 takes the likeliest choice. */
  readonly temperature: number;
  /** The probability of a random choice among the valid ones, from 0 to 1. */
  readonly exploration: number;
  /** Random choices prefer what the screen offers and the instruction names. Otherwise all are equally likely. */
  readonly isGuided?: boolean;
  /** Decide with exactly this version, or reject. Without it the worker uses its newest weights. */
  readonly version?: Version;
}

export interface Choice {
  readonly action: Action;
  /** The targets of the pointer decisions, in order: none for a key, one for a click, two for a drag. */
  readonly meant: readonly Candidate[];
  /** In order of decision. */
  readonly decisions: readonly Decision[];
  readonly version: Version;
}

/**
 * Requirements: each request resolves once, or rejects with a BoundaryError of the boundary `policy`. New weights never reject a request.
 * The choice has the version that decided.
 */
export interface PolicyPool {
  decide(request: DecisionRequest): Promise<Choice>;
}
