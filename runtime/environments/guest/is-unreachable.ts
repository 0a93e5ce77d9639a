// Tells a guest that cannot be reached from a program in it that does not run. A port without a program refuses the connection, or closes it at
// once, as the port of a virtual machine does. Pure.

import { DeadlineExceeded } from '../../core/deadline.ts';

const UNREACHABLE: readonly unknown[] = [
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  // No packet came back.
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Also of an error whose cause it is. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof DeadlineExceeded ||
    error.name === 'TimeoutError' ||
    ('code' in error && UNREACHABLE.includes(error.code)) ||
    isUnreachable(error.cause));

/** The statuses of a proxy that cannot reach the guest behind it. */
export const isProxyError = (status: number): boolean => status >= 502 && status <= 504;
