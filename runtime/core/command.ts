// The commands of users to a run. The channel keeps their order.

import type { RunId, TrajectoryId } from './ids.ts';

export type Command =
  | { readonly kind: 'pause' | 'resume' | 'stop'; readonly run: RunId }
  /** A manual verdict, which overrides the evaluator's; null removes it. */
  | {
      readonly kind: 'verdict';
      readonly run: RunId;
      readonly trajectory: TrajectoryId;
      readonly success: boolean | null;
      readonly who: string;
    }
  /** Changes the membership of a trajectory in the success pool. */
  | {
      readonly kind: 'pool';
      readonly run: RunId;
      readonly trajectory: TrajectoryId;
      readonly isMember: boolean;
    }
  /** A replaced trainer has no lessons: the host finds again what it found once. */
  | { readonly kind: 'teach'; readonly run: RunId }
  /** A joined host takes no new order, finishes its episodes, and leaves. */
  | {
      readonly kind: 'drain';
      readonly run: RunId;
      readonly host: string;
      /** By the clock of the daemon: a host with the same name that joins later stays. */
      readonly at: number;
    };
