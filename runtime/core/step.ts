// One step of an episode: what the agent did and, where a policy of ours chose it, how it chose: every single decision
// with its probability under the weights of that moment. Advantages and masks are not here: they belong to a batch.

import type { Action } from './action.ts';
import type { Candidate, Decision } from './decision.ts';
import type { Version } from './ids.ts';
import type { EncodedObservation } from './policy.ts';

export interface Step {
  readonly action: Action;
  /** See Choice.meant. */
  readonly meant: readonly Candidate[];
  /** What was seen before acting; absent until somebody encodes it, as on imported steps. */
  readonly observation?: EncodedObservation;
  /** Absent where no policy of ours chose: demonstrated, played by a script, imported. */
  readonly chosen?: { readonly version: Version; readonly decisions: readonly Decision[] };
}
