// The comparison of an agent's action with the expert's at the same place of a stored trajectory.

import type { Action } from './action.ts';

export interface ExpertMatch {
  /** The index of the expert's action. */
  readonly step: number;
  /** 1 for an equal action, 0.5 for another one of the same kind, 0.1 for one of another kind, 0 for a reply without an action. */
  readonly score: number;
}

export interface MatchedAction extends ExpertMatch {
  /** The action of the expert, which is performed in place of the agent's. */
  readonly instead?: Action;
}
