// How far the training of a language model is: a small file beside the learner's own state. The trainer writes it when it opens the
// learner and after every optimiser step, so that a batch that is delivered again continues behind the updates that were made.

import * as z from 'zod';
import type { CheckpointFiles } from '../checkpoint-folder.ts';

/** A batch in work, and how many of its updates were made. */
const batchInWork = z.strictObject({ id: z.string(), done: z.int().nonnegative() });

const progress = z.strictObject({
  format: z.literal('dartboard-progress-1'),
  /** Optimiser steps of the learner when this was written. */
  step: z.int().nonnegative(),
  /** A version is the optimiser steps and this offset: a number never names two different weights of a run. */
  offset: z.int().nonnegative(),
  batch: batchInWork.exactOptional(),
  /** The last saved state of the learner, its optimiser steps, and the batch that was in work. */
  saved: z
    .strictObject({ place: z.string(), step: z.int().nonnegative(), batch: batchInWork.exactOptional() })
    .exactOptional(),
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

/**
 * The progress of a trainer that opens a learner. A learner that lost steps trains again what the batch in work had after its saved state, and its
 * versions continue above all numbers that were in use.
 */
export function resumedProgress(before: LearnerProgress, learnerStep: number): LearnerProgress {
  // One step more than written: the process ended between the step and the file.
  if (learnerStep === before.step || learnerStep === before.step + 1) return { ...before, step: learnerStep };
  const { batch: _, ...rest } = before;
  const { saved } = before;
  const batch = saved?.step === learnerStep ? saved.batch : undefined;
  const used = before.offset + Math.max(before.step, learnerStep);
  return {
    ...{ ...rest, step: learnerStep, offset: Math.max(before.offset, used + 1 - learnerStep) },
    ...(batch !== undefined && { batch }),
  };
}
