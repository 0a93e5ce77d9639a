// Errors of requests that were accepted: their future fails, and says whether the user can correct the cause.

import { PromptLengthError } from '../../agents/micro/decoder.ts';
import { MicroFileError } from '../../agents/micro/weights-file.ts';
import { messageOf } from '../../core/errors.ts';
import { PngError } from '../../core/png-reader.ts';
import { NotFiniteError } from '../../learner/micro/micro-trainer.ts';
import { MicroPromptError } from '../../learner/micro/prompt-row.ts';
import { TrainingFileError } from '../../learner/micro/state-file.ts';

/** A fault of the request. */
export class TinkerFault extends Error {
  override readonly name = 'TinkerFault';
}

export interface FailedFuture {
  readonly kind: 'failed';
  readonly error: string;
  readonly category: 'user' | 'server';
}

const FAULTS_OF_USERS = [
  ...[TinkerFault, MicroPromptError, PromptLengthError, NotFiniteError],
  ...[TrainingFileError, MicroFileError, PngError],
];

export const failureOf = (error: unknown): FailedFuture => ({
  ...{ kind: 'failed', error: messageOf(error) },
  category: FAULTS_OF_USERS.some(kind => error instanceof kind) ? 'user' : 'server',
});
