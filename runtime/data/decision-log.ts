// Records of the data module's decisions and their reasons, for display and for the decision log. No code depends on them.

import type { BatchId, GroupId } from '../core/ids.ts';
import type { Instance } from '../core/task.ts';

interface Common {
  readonly group: GroupId;
  readonly instance: Instance;
  /** The reason, for the user. */
  readonly why: string;
}

export type GroupDecision =
  | (Common & { readonly kind: 'ordered'; readonly rollouts: number; readonly maxSteps: number })
  /** Some rollouts of the group do not train; none trains if no 'trained' decision follows. */
  | (Common & {
      readonly kind: 'set aside';
      readonly dropped: number;
      readonly duplicates: number;
      readonly filtered: number;
    })
  | (Common & {
      readonly kind: 'trained';
      readonly batch: BatchId;
      readonly rollouts: number;
      readonly injected: boolean;
    });

/** `at` is the time of the decision in milliseconds since 1970. */
export type LoggedDecision = GroupDecision & { readonly at: number };
