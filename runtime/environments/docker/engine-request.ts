// What is asked of an engine: for how long an answer is waited for, and what a failure means. It asks nothing itself.

import type { Clock } from '../../core/clock.ts';
import { type Boundary, BoundaryError } from '../../core/failure.ts';

/** Asks something of an engine; rejects with a failure of `provider` where no answer comes in that many milliseconds. */
export type Ask = <T>(
  what: string,
  milliseconds: number,
  /** Should give up with the signal. */
  question: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

export const asker =
  (host: string, clock: Clock): Ask =>
  async (what, milliseconds, question) => {
    const limit = new AbortController();
    const over = new AbortController();
    // A connection that hangs does not always notice that it was given up, so the limit rejects by itself.
    const lateness = clock.sleep(milliseconds, over.signal).then(() => {
      const reason = new Error(`no answer within ${milliseconds / 1000} seconds`);
      limit.abort(reason);
      throw reason;
    });
    lateness.catch(() => {});
    try {
      return await Promise.race([question(limit.signal), lateness]);
    } catch (error) {
      throw engineFailure(host, what, error);
    } finally {
      over.abort();
    }
  };

/** What the engine refused with, where it answered at all. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;

export function engineFailure(host: string, what: string, error: unknown): BoundaryError {
  if (error instanceof BoundaryError) return error;
  const failure = {
    boundary: boundaryOf(error),
    thing: `engine ${host}`,
    message: `${what}: ${reason(error)}`,
  };
  return new BoundaryError(failure, { cause: error });
}

/** A container that is gone or stopped is a broken desktop; all else is the engine's. */
const boundaryOf = (error: unknown): Boundary =>
  statusOf(error) !== undefined &&
  /no such container: |is not running|is paused|is restarting/i.test(textOf(error))
    ? 'environment'
    : 'provider';

function reason(error: unknown): string {
  const text = textOf(error);
  const image = /no such image: (\S+)/i.exec(text)?.[1];
  if (image !== undefined)
    return `it has no image ${image}. Build it there with 'dartboard docker build', or load a saved one.`;
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return `no engine answers (${text}). Start it, or correct the address.`;
    case 'EACCES':
      return `this user may not use it (${text}). On Linux add the user to the group 'docker'.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `the connection broke (${text}). Is the engine still running?`;
    default:
      return text;
  }
}

/** The engine's own words where it gave some. */
function textOf(error: unknown): string {
  const answer = error instanceof Error && 'json' in error ? error.json : undefined;
  if (
    typeof answer === 'object' &&
    answer !== null &&
    'message' in answer &&
    typeof answer.message === 'string'
  )
    return answer.message.trim();
  return (error instanceof Error ? error.message : String(error)).trim();
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
