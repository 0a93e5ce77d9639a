// The calls of the inference process, which acts with saved weights.

import type { NetworkShape } from '../agents/compact/network.ts';
import type { Config } from '../config/config.ts';
import type { Mode } from '../core/policy.ts';
import type { Box, Pixels } from '../core/screen.ts';
import type { Instance } from '../core/task.ts';
import type { Ending } from '../core/verdict.ts';
import type { TaskEvaluation } from '../data/evaluation.ts';
import type { TaskSplit } from '../environments/suite.ts';
import type { Tensor } from '../graph/tensor.ts';

/** The process removes its containers before it ends. */
export const INFERENCE_CLOSE_TIMEOUT_MS = 12_000;

export interface AttemptStep {
  /** 'click button "New"' */
  readonly sentence: string;
  /** The probability of its least certain choice. */
  readonly sure: number;
  /** The same step with the runner-up of that choice; absent if that is very unlikely. */
  readonly nearly?: { readonly sentence: string; readonly probability: number };
  /** The targets of the pointer: none for a key, one for a click, two for a drag. */
  readonly boxes: readonly Box[];
  /** Before the action. */
  readonly screen: Pixels;
}

export interface Attempt {
  readonly instruction: string;
  readonly steps: readonly AttemptStep[];
  readonly last: Pixels;
  readonly ending: Ending;
  /** An instruction that fits what it did, if there is one. */
  readonly outcome?: string;
  /** Paths in the world whose value changed; only of pocket desktops. */
  readonly changes?: readonly string[];
  /** Whether the task of the instance is solved; absent if the instruction is another one. */
  readonly success?: boolean;
}

export type InferenceCalls = {
  readonly start: {
    readonly takes: {
      readonly shape: NetworkShape;
      readonly mode: Mode;
      readonly weights: Tensor;
      /** The run of the weights, if known. */
      readonly run: string | undefined;
      /** Rejects when its kind of desktops is not available. */
      readonly config: Config;
    };
    readonly gives: undefined;
  };
  readonly evaluate: {
    readonly takes: {
      readonly split: TaskSplit;
      readonly tasks: readonly string[];
      readonly instances: number;
    };
    readonly gives: readonly TaskEvaluation[];
  };
  /** By default with the instruction of the instance. */
  readonly attempt: {
    readonly takes: {
      readonly instance: Instance;
      readonly instruction: string | undefined;
      readonly steps: number;
    };
    readonly gives: Attempt;
  };
};
