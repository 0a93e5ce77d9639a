// One step of an episode: the action and, if a policy chose it, how. Advantages and masks belong to batches.

import type { Action } from './action.ts';
import type { Candidate } from './decision.ts';
import type { ExpertMatch } from './expert-match.ts';
import type { Version } from './ids.ts';
import type { EncodedObservation } from './policy.ts';
import type { Trace } from './trace.ts';

export interface Step {
  readonly action: Action;
  /** See TurnAction.meant. */
  readonly meant: readonly Candidate[];
  /** The observation before the action; absent until it is encoded, for example on imported steps, and on later actions of a turn. */
  readonly observation?: EncodedObservation;
  /** Absent on steps that no policy chose: demonstrated, scripted or imported ones. */
  readonly chosen?: ChosenBy;
  /** Present on desktops that play stored trajectories. The frame after the step shows the effect of the expert's action. */
  readonly match?: ExpertMatch;
}

/** The weights that chose a step, and how. */
export interface ChosenBy {
  readonly version: Version;
  readonly trace: Trace;
}
