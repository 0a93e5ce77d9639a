// Tells a guest that cannot be reached from a program in it that does not run. A port without a program refuses the connection, or closes it at
// once, as the port of a virtual machine does. Pure.

import { DeadlineExceeded } from '../../core/deadline.ts';

const UNREACHABLE: readonly unknown[] = [
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
];

/** Also of an error whose cause it is. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof DeadlineExceeded ||
    error.name === 'TimeoutError' ||
    ('code' in error && UNREACHABLE.includes(error.code)) ||
    isUnreachable(error.cause));
