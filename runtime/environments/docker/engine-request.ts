// Deadlines of engine calls, and the translation of their errors into failures.

import type { Clock } from '../../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../../core/deadline.ts';
import { messageOf } from '../../core/errors.ts';
import { type Boundary, BoundaryError } from '../../core/failure.ts';

/** Calls an engine with a deadline. Rejects with a BoundaryError that names the call and the engine. */
export type EngineRequest = <T>(
  what: string,
  timeoutMs: number,
  task: (abortSignal: AbortSignal) => Promise<T>,
) => Promise<T>;

export const engineRequest =
  (host: string, clock: Clock): EngineRequest =>
  async (what, ms, task) => {
    const late = new AbortController();
    try {
      return await withDeadline(task(late.signal), { what, ms, clock });
    } catch (error) {
      if (error instanceof BoundaryError) throw error;
      // Only now: an abort after success would end the streams of the answer.
      if (error instanceof DeadlineExceeded) late.abort(error);
      const failure = { boundary: boundaryOf(error), thing: `engine ${host}` };
      throw new BoundaryError({ ...failure, message: explain(what, error) }, { cause: error });
    }
  };

/** The HTTP status of an error response. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;

/** A missing or stopped container is a broken desktop. Everything else is a fault of the engine. */
const boundaryOf = (error: unknown): Boundary =>
  statusOf(error) !== undefined &&
  /no such container: |is not running|is paused|is restarting/i.test(textOf(error))
    ? 'environment'
    : 'provider';

function explain(what: string, error: unknown): string {
  if (error instanceof DeadlineExceeded) return `${error.message} Check the engine with 'docker info'.`;
  return `${what}: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  const text = textOf(error);
  const image = /no such image: (\S+)/i.exec(text)?.[1];
  if (image !== undefined)
    return `it has no image ${image}. Build it with 'dartboard docker build', or load a saved one.`;
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return `no engine answers (${text}). Start it, or correct the address.`;
    case 'EACCES':
      return `permission denied (${text}). On Linux, add this user to the group 'docker'.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `the connection broke (${text}). Check that the engine is still running.`;
    default:
      return text;
  }
}

/** The message of the engine, if it sent one. */
function textOf(error: unknown): string {
  const json = error instanceof Error && 'json' in error ? error.json : undefined;
  if (typeof json === 'object' && json !== null && 'message' in json && typeof json.message === 'string')
    return json.message.trim();
  return messageOf(error).trim();
}
