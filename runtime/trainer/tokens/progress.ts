// How far the training of a language model is: a small file beside the learner's own state. The trainer writes it when it opens the
// learner and after every optimiser step.

import * as z from 'zod';
import type { CheckpointFiles } from '../checkpoint-folder.ts';

/** Files of earlier versions also have the batch in work. The learner knows it, so it is not read. */
const progress = z.object({
  format: z.literal('dartboard-progress-1'),
  /** Optimiser steps of the learner when this was written. */
  step: z.int().nonnegative(),
  /** A version is the optimiser steps and this offset: a number never names two different weights of a run. */
  offset: z.int().nonnegative(),
  /** The last saved state of the learner, its optimiser steps, and its training time, which files of earlier versions lack. */
  saved: z
    .object({
      place: z.string(),
      step: z.int().nonnegative(),
      milliseconds: z.number().nonnegative().exactOptional(),
    })
    .exactOptional(),
  /** Trainers that ended by outages of the learner's server while this batch was in work: the batch is not to blame. */
  outages: z.object({ batch: z.string(), ends: z.int().positive() }).exactOptional(),
  /** Training time. */
  milliseconds: z.number().nonnegative(),
});

export type LearnerProgress = Readonly<Omit<z.infer<typeof progress>, 'format'>>;

export const PROGRESS_FILE = 'progress.json';
export const NO_PROGRESS: LearnerProgress = { step: 0, offset: 0, milliseconds: 0 };

export class ProgressError extends Error {
  override readonly name = 'ProgressError';
}

export const writeProgress = (files: CheckpointFiles, content: LearnerProgress): Promise<void> =>
  files.write(
    PROGRESS_FILE,
    new TextEncoder().encode(`${JSON.stringify({ format: 'dartboard-progress-1', ...content })}\n`),
  );

/** `place` names the file in errors. Throws a ProgressError for a damaged file. */
export function readProgress(text: string | undefined, place: string): LearnerProgress {
  if (text === undefined) return NO_PROGRESS;
  try {
    const { format: _, ...content } = progress.parse(JSON.parse(text));
    return content;
  } catch (error) {
    throw new ProgressError(
      `'${place}' cannot be read: ${error instanceof z.ZodError ? z.prettifyError(error) : String(error)}. Restore the file, or move it away to train from the start.`,
      { cause: error },
    );
  }
}

/** The progress of a trainer that opens a learner. The versions of one that lost steps continue above all numbers that were in use. */
export function resumedProgress(before: LearnerProgress, learnerStep: number): LearnerProgress {
  // One step more than written: the process ended between the step and the file.
  if (learnerStep === before.step || learnerStep === before.step + 1) return { ...before, step: learnerStep };
  const used = before.offset + Math.max(before.step, learnerStep);
  return { ...before, step: learnerStep, offset: Math.max(before.offset, used + 1 - learnerStep) };
}
