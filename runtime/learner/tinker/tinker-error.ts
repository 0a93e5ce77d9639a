// The causes of failed calls to a Tinker server.

import { sentenceOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';

/**
 * unreachable: no connection, or it was reset before a reply.
 * timeout: no reply within the deadline, or status 408.
 * rate-limited: status 429.
 * server-error: status 5xx.
 * bad-reply: a reply that is not in the protocol.
 * unauthorized: status 401, 402 or 403.
 * bad-request: any other status 4xx.
 * conflict: status 409. The number of the request was used by another one, or the name of a checkpoint is taken.
 * failed: the server handled the request, and the request failed.
 * no-model: the server does not have the session or the model, or no longer.
 * no-future: the server does not have the result of a request, or no longer.
 * uncertain: a request may have been handled or not, and the server does not recognise a repetition.
 */
export type TinkerCause =
  | 'unreachable'
  | 'timeout'
  | 'rate-limited'
  | 'server-error'
  | 'bad-reply'
  | 'unauthorized'
  | 'bad-request'
  | 'conflict'
  | 'failed'
  | 'no-model'
  | 'no-future'
  | 'uncertain';

interface TinkerErrorDetails {
  readonly status?: number | undefined;
  /** The message of the server, without advice. */
  readonly reported?: string;
  /** The delay that the server asks for before the next request. */
  readonly delayMs?: number | undefined;
  /** The request certainly was not handled. */
  readonly isUnsent?: boolean;
  readonly cause?: unknown;
}

export class TinkerError extends BoundaryError {
  readonly status: number | undefined;
  readonly reported: string;
  readonly delayMs: number | undefined;
  readonly isUnsent: boolean;

  constructor(
    readonly reason: TinkerCause,
    learner: string,
    message: string,
    { status, reported = '', delayMs, isUnsent = false, cause }: TinkerErrorDetails = {},
  ) {
    const isPermanent = reason === 'unauthorized' || reason === 'bad-request' || reason === 'failed';
    super({ boundary: 'provider', thing: learner, message, ...(isPermanent && { isPermanent }) }, { cause });
    this.status = status;
    this.reported = reported;
    this.delayMs = delayMs;
    this.isUnsent = isUnsent;
  }
}

export const isTinkerError = (error: unknown, ...reasons: readonly TinkerCause[]): error is TinkerError =>
  error instanceof TinkerError && (reasons.length === 0 || reasons.includes(error.reason));

/** Another attempt at the same request may succeed. */
const TEMPORARY: readonly TinkerCause[] = [
  'unreachable',
  'timeout',
  'rate-limited',
  'server-error',
  'bad-reply',
];

export const isTemporaryCause = (reason: TinkerCause): boolean => TEMPORARY.includes(reason);

/** A failure took the model, or made its weights uncertain, and the last saved state is older. The learner goes on from there. */
export class StepsLost extends Error {
  override readonly name = 'StepsLost';

  constructor(
    readonly from: number,
    readonly to: number,
    cause: TinkerError,
  ) {
    super(
      `${sentenceOf(cause)} The steps after the last saved state are lost: training goes on from step ${to} in place of step ${from}, so prepare the batch again. To lose fewer steps, save more often.`,
      { cause },
    );
  }
}

/** The server was away, lost the model, or refused the learner: no request is known to be at fault. */
export function isOutage(error: unknown): boolean {
  const failure = error instanceof StepsLost ? error.cause : error;
  return isTinkerError(failure) && !isTinkerError(failure, 'bad-request', 'failed');
}
