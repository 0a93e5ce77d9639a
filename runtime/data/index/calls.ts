// The calls of the index thread: questions and changes.

import type { RunId } from '../../core/ids.ts';
import type { TrajectoryHead } from '../files/head.ts';
import type { Mark } from '../files/marks.ts';
import type { LedgerLine } from '../files/summary.ts';
import type { TrajectoryIndex } from './questions.ts';

type Questions = {
  readonly [Q in keyof TrajectoryIndex]: {
    readonly takes: Parameters<TrajectoryIndex[Q]>[0];
    readonly gives: Awaited<ReturnType<TrajectoryIndex[Q]>>;
  };
};

export type IndexCalls = Questions & {
  readonly add: {
    readonly takes: { readonly head: TrajectoryHead; readonly bytes: number };
    readonly gives: undefined;
  };
  /** `end` is the offset in the journal after the last line. */
  readonly forget: {
    readonly takes: { readonly lines: readonly LedgerLine[]; readonly end: number };
    readonly gives: undefined;
  };
  readonly forgetRun: { readonly takes: { readonly run: RunId }; readonly gives: undefined };
  readonly mark: { readonly takes: { readonly mark: Mark; readonly end: number }; readonly gives: undefined };
  readonly save: { readonly takes: undefined; readonly gives: undefined };
  /** Saves the index. */
  readonly close: { readonly takes: undefined; readonly gives: undefined };
};
