// Reads values that were caught: any value can be thrown.

import { explainSystemError } from './system-error.ts';

/** For the user. Errors of the operating system are explained. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? (explainSystemError(error) ?? error.message) : String(error);

/** Ends in a full stop, so that another sentence can follow. */
export const sentenceOf = (error: unknown): string => messageOf(error).replace(/\.?$/, '.');

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Whether a file system call failed because the file or folder does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
