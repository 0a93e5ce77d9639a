// Reads values that were caught: any value can be thrown.

import { explainSystemError } from './system-error.ts';

/** For the user. Errors of the operating system are explained. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A connection to a name such as localhost has an error for each address, and no message of its own.
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0)
    return messageOf(error.errors[0]);
  return explainSystemError(error) ?? error.message;
}

/** `fetch` has the reason of its failure as the cause. */
export const causeOf = (error: unknown): unknown =>
  error instanceof TypeError && error.cause !== undefined ? error.cause : error;

/** Ends in a full stop, so that another sentence can follow. */
export const sentenceOf = (error: unknown): string => messageOf(error).replace(/\.?$/, '.');

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Whether a file system call failed because the file or folder does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
