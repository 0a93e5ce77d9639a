// An episode as a reader of a foreign format returns it: everything that the source says, without an id and an origin.

import type { TrajectoryId } from '../core/ids.ts';
import type { Purpose } from '../core/order.ts';
import type { Mode } from '../core/policy.ts';
import type { Size } from '../core/screen.ts';
import type { Step } from '../core/step.ts';
import type { Outcome } from '../core/verdict.ts';
import type { ImportFormat } from '../protocol/daemon/exchange.ts';
import { MAX_STEPS } from './limits.ts';
import type { SourceFiles } from './source/source.ts';

export interface ReadEpisode {
  readonly task: string;
  readonly seed: number;
  readonly instruction: string;
  readonly steps: readonly Step[];
  /** At most one more than there are steps. An empty one is missing in the source. */
  readonly pictures: readonly Uint8Array[];
  readonly outcome: Outcome;
  readonly mode: Mode;
  /** The model that played, if the source names it. */
  readonly agent?: string;
  /** Only files that Dartboard wrote have it. */
  readonly purpose?: Purpose;
  readonly maxSteps?: number;
  /** The trajectory that was exported. */
  readonly original?: TrajectoryId;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Missing parts of the source, and lines that are no steps. */
  readonly notes: readonly string[];
}

export type ReadItem =
  | { readonly kind: 'episode'; readonly file: string; readonly episode: ReadEpisode }
  | { readonly kind: 'refused'; readonly file: string; readonly why: string };

export interface ReadOptions {
  /** Of desktops whose pictures are missing. */
  readonly screen: Size;
  /** The instruction of a task of the workspace: results of OSWorld do not contain it. */
  readonly instructionOf: (task: string) => string | undefined;
}

/**
 * Laws: the items of a file do not depend on other candidates. A reader never rejects because of the content of a file: it yields a refusal
 * that says what is wrong and what to do next. Reading has no effect.
 */
export interface TrajectoryReader {
  readonly format: ImportFormat;
  /** All trajectories in a candidate, one after another. Undefined if the file is not of this format. */
  read(file: string, source: SourceFiles, options: ReadOptions): Promise<AsyncIterable<ReadItem> | undefined>;
}

/** A file whose content cannot be a trajectory. */
export class EpisodeError extends Error {
  override readonly name = 'EpisodeError';
}

/** Of the desktops of OSWorld and DART. */
export const DEFAULT_SCREEN: Size = { width: 1920, height: 1080 };

/** Throws an EpisodeError for too many steps of a trajectory. */
export function requireSteps(count: number): void {
  if (count > MAX_STEPS)
    throw new EpisodeError(`It has more than ${MAX_STEPS} steps. Split it, or leave it out.`);
}
