// The calls to the process that takes hostile inputs.

import type { TrialResult } from './trial.ts';

export type HostileCalls = {
  /** Takes inputs one after another. */
  readonly trial: {
    readonly takes: { readonly border: string; readonly from: number; readonly count: number };
    readonly gives: TrialResult;
  };
  readonly input: {
    readonly takes: { readonly border: string; readonly number: number };
    readonly gives: Uint8Array;
  };
  /** Megabytes that are in use after a collection of garbage. */
  readonly memory: { readonly takes: undefined; readonly gives: number };
};

export interface HostileChildInfo {
  readonly borders: readonly { readonly name: string; readonly inputs: number }[];
}
