// What somebody outside asks of a run, in the order in which it was asked.

import type { RunId, TrajectoryId } from './ids.ts';

export type Command =
  | { readonly kind: 'pause' | 'resume' | 'stop'; readonly run: RunId }
  /** A verdict given by hand, in place of the evaluator's; null takes one back. */
  | {
      readonly kind: 'verdict';
      readonly run: RunId;
      readonly trajectory: TrajectoryId;
      readonly success: boolean | null;
      readonly who: string;
    }
  /** Whether a trajectory belongs to the success pool from now on. */
  | {
      readonly kind: 'pool';
      readonly run: RunId;
      readonly trajectory: TrajectoryId;
      readonly isMember: boolean;
    };
