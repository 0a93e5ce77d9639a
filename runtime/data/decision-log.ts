// What the data module decided and why, to be shown and kept. Nothing depends on it.

import type { BatchId, GroupId } from '../core/ids.ts';
import type { Instance } from '../core/task.ts';

interface Common {
  readonly group: GroupId;
  readonly instance: Instance;
  /** In words for a user. */
  readonly why: string;
}

export type Decided =
  | (Common & { readonly kind: 'ordered'; readonly rollouts: number; readonly maxSteps: number })
  /** Some of its rollouts do not train: all of them, where `batch` of the group never comes. */
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

/** When it was decided, in milliseconds since 1970, and what. */
export type Noted = Decided & { readonly at: number };
