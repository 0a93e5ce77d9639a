// A request that is not carried out, with the reason as the client is told it.

import type { ErrorCode, Failure } from '../../protocol/daemon/messages.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly field: string | undefined;

  constructor(code: ErrorCode, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** Whatever went wrong: what is no refusal was tried, and says itself what happened. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: 'failed', message: String(error) };
  if (!(error instanceof Refusal)) return { code: 'failed', message: error.message };
  const { code, field, message } = error;
  return { code, ...(field !== undefined && { field }), message };
}
