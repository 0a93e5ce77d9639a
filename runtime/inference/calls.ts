// The calls of the inference process: it has a policy that is no longer trained.

import type { NetworkShape } from '../agent/network.ts';
import type { Config } from '../config/config.ts';
import type { Mode } from '../core/policy.ts';
import type { Box, Pixels } from '../core/screen.ts';
import type { Ending } from '../core/verdict.ts';
import type { TaskEvaluation } from '../data/evaluation.ts';
import type { TaskSplit } from '../environments/suite.ts';
import type { Tensor } from '../graph/tensor.ts';

/** It removes its containers when it ends. */
export const INFERENCE_CLOSE_TIMEOUT_MS = 12_000;

/** One instance as a place to try something in. */
export interface Place {
  readonly task: string;
  readonly seed: number;
}

export interface AttemptStep {
  /** 'click button "New"' */
  readonly sentence: string;
  /** The probability of its least sure choice, as of what to point at. */
  readonly sure: number;
  /** With the likeliest other choice there; absent where all others are very unlikely. */
  readonly nearly?: { readonly sentence: string; readonly probability: number };
  /** What it points at: nothing for a key, one place for a click, two for a drag. */
  readonly boxes: readonly Box[];
  /** Before it acted. */
  readonly screen: Pixels;
}

export interface Attempt {
  readonly instruction: string;
  readonly steps: readonly AttemptStep[];
  readonly last: Pixels;
  readonly ending: Ending;
  /** An instruction that asks for exactly what was done, where there is one. */
  readonly outcome?: string;
  /** Paths in the world at which it is different now; absent where nobody can tell. */
  readonly changes?: readonly string[];
  /** Whether the place's own task is done; absent where the instruction is another one. */
  readonly success?: boolean;
}

export type InferenceCalls = {
  readonly start: {
    readonly takes: {
      readonly shape: NetworkShape;
      readonly mode: Mode;
      readonly weights: Tensor;
      /** Whose weights they are, where that is known. */
      readonly run: string | undefined;
      /** Of the desktops: rejects where there are none of their kind. */
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
  /** Without an instruction, the place's own. */
  readonly attempt: {
    readonly takes: {
      readonly place: Place;
      readonly instruction: string | undefined;
      readonly steps: number;
    };
    readonly gives: Attempt;
  };
};
