// One step of an episode: the action and, if a policy chose it, each decision with its probability. Advantages and masks belong to batches.

import type { Action } from './action.ts';
import type { Candidate, Decision } from './decision.ts';
import type { Version } from './ids.ts';
import type { EncodedObservation } from './policy.ts';

export interface Step {
  readonly action: Action;
  /** See Choice.meant. */
  readonly meant: readonly Candidate[];
  /** The observation before the action; absent until it is encoded, for example on imported steps. */
  readonly observation?: EncodedObservation;
  /** Absent on steps that no policy chose: demonstrated, scripted or imported ones. */
  readonly chosen?: { readonly version: Version; readonly decisions: readonly Decision[] };
}
