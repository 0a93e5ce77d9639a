// Pauses generation: requests that begin during a pause wait for its end. Requests in progress end, or are aborted.

import type { Clock } from '../../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../../core/deadline.ts';
import { ApiError } from '../api-error.ts';

export const PAUSE_MODES = ['abort', 'wait', 'keep'] as const;
/** abort: ends the requests in progress with an error; wait: waits for their end; keep: neither. */
export type PauseMode = (typeof PAUSE_MODES)[number];

/** A client that paused the server may never resume it. */
const MAX_PAUSE_MS = 30_000;

export class GenerationGate {
  readonly #clock: Clock;
  readonly #running = new Map<Promise<unknown>, AbortController>();
  #pause:
    | {
        /** Milliseconds since 1970. */
        readonly since: number;
        readonly over: Promise<void>;
        readonly end: () => void;
      }
    | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  /**
   * The signal of the work is aborted with an ApiError by a pause, and when `left` is. With `left`, an HTTP request waits for the work: it
   * waits for the end of a pause for 30 s at most, and then rejects with an ApiError.
   */
  async through<X>(work: (signal: AbortSignal) => Promise<X>, left?: AbortSignal): Promise<X> {
    if (left === undefined) while (this.#pause !== undefined) await this.#pause.over;
    else await this.#waitForResume(left);
    const controller = new AbortController();
    const running = work(left === undefined ? controller.signal : AbortSignal.any([controller.signal, left]));
    this.#running.set(running, controller);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when the pause has begun; in the mode 'wait', when no request is in progress. */
  async pause(mode: PauseMode): Promise<void> {
    if (this.#pause === undefined) {
      let end = (): void => {};
      const over = new Promise<void>(resolve => {
        end = resolve;
      });
      this.#pause = { since: this.#clock.now(), over, end };
    }
    const running = [...this.#running];
    if (mode === 'keep') return;
    if (mode === 'abort')
      for (const [, controller] of running)
        controller.abort(
          new ApiError(503, 'The request was ended by a pause of the server. Send it again.', {
            ...{ type: 'server_error', code: 'paused', retryAfter: 1 },
          }),
        );
    await Promise.allSettled(running.map(([work]) => work));
  }

  resume(): void {
    this.#pause?.end();
    this.#pause = undefined;
  }

  async #waitForResume(left: AbortSignal): Promise<void> {
    left.throwIfAborted();
    const end = this.#clock.now() + MAX_PAUSE_MS;
    while (this.#pause !== undefined) {
      const { since, over } = this.#pause;
      const deadline = { what: 'The pause', ms: end - this.#clock.now(), clock: this.#clock, signal: left };
      await withDeadline(over, deadline).catch((error: unknown) => {
        if (!(error instanceof DeadlineExceeded)) throw error;
        throw new ApiError(
          503,
          `The server has been paused since ${new Date(since).toISOString()}. POST /resume to go on.`,
          { type: 'server_error', code: 'paused', retryAfter: 1 },
        );
      });
    }
  }
}
