// What the training asks of its two processes.

import type { Action } from '../../contracts/action.ts';
import type { Mode } from '../../contracts/policy.ts';
import type { Split } from '../../environments/pocket/tasks/suite.ts';
import type { Tensor, Tensors } from '../../graph/tensor.ts';
import type { NetworkShape } from '../../policy/network.ts';
import type { Work } from './lesson.ts';
import type { PlayerCounts } from './player.ts';
import type { Recipe } from './recipe.ts';
import type { StudentCounts } from './student.ts';

interface Start {
  readonly seed: string;
  readonly shape: NetworkShape;
  readonly recipe: Recipe;
  readonly weights: Tensor;
}

export interface Judged {
  readonly task: string;
  readonly success: boolean;
  readonly score: number;
  readonly why: string;
  readonly instruction: string;
  readonly actions: readonly Action[];
}

export type PlayerCalls = {
  readonly start: {
    readonly takes: Start & { readonly mode: Mode; readonly tasks: readonly string[] };
    readonly gives: undefined;
  };
  readonly explore: { readonly takes: { readonly milliseconds: number }; readonly gives: Work };
  readonly play: { readonly takes: { readonly milliseconds: number }; readonly gives: Work };
  readonly demonstrate: { readonly takes: { readonly instances: number }; readonly gives: Work };
  readonly weights: { readonly takes: Tensor; readonly gives: undefined };
  readonly evaluate: {
    readonly takes: { readonly split: Split; readonly tasks: readonly string[]; readonly instances: number };
    readonly gives: readonly Judged[];
  };
  readonly counts: { readonly takes: undefined; readonly gives: PlayerCounts };
  readonly memory: { readonly takes: undefined; readonly gives: number };
};

export type StudentCalls = {
  readonly start: { readonly takes: Start; readonly gives: undefined };
  readonly take: { readonly takes: Work; readonly gives: undefined };
  readonly learn: {
    /** `passed` is the share of the training that is over. */
    readonly takes: { readonly milliseconds: number; readonly passed: number };
    readonly gives: {
      readonly learned: boolean;
      /** To play with, and to keep. */
      readonly weights?: { readonly present: Tensor; readonly mean: Tensor };
    };
  };
  readonly state: { readonly takes: undefined; readonly gives: Tensors };
  readonly counts: { readonly takes: undefined; readonly gives: StudentCounts };
  /** At most, in megabytes. */
  readonly memory: { readonly takes: undefined; readonly gives: number };
};
