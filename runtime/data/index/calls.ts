// The calls to the index thread: queries and changes.

import type { RunId } from '../../core/ids.ts';
import type { TrajectoryHead } from '../files/head.ts';
import type { Mark } from '../files/marks.ts';
import type { Suggestion } from '../files/suggestions.ts';
import type { LedgerLine } from '../files/summary.ts';
import type { TrajectoryIndex } from './queries.ts';

type Queries = {
  readonly [Q in keyof TrajectoryIndex]: {
    readonly takes: Parameters<TrajectoryIndex[Q]>[0];
    readonly gives: Awaited<ReturnType<TrajectoryIndex[Q]>>;
  };
};

interface Change<Takes> {
  readonly takes: Takes;
  readonly gives: undefined;
}

export type IndexCalls = Queries & {
  readonly add: Change<{ readonly head: TrajectoryHead; readonly bytes: number }>;
  /** `end` is the offset in the journal after the last line. */
  readonly forget: Change<{ readonly lines: readonly LedgerLine[]; readonly end: number }>;
  readonly forgetRun: Change<{ readonly run: RunId }>;
  readonly mark: Change<{ readonly mark: Mark; readonly end: number }>;
  readonly suggest: Change<{ readonly suggestion: Suggestion; readonly end: number }>;
  /** Saves the index. */
  readonly close: Change<undefined>;
};

/** An index that is opened again finds these in the files and journals. */
export const DURABLE_CHANGES: readonly (keyof IndexCalls)[] = [
  'add',
  'forget',
  'forgetRun',
  'mark',
  'suggest',
];
