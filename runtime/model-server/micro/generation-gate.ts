// Pauses generation: requests that begin during a pause wait for its end. Requests in progress end, or are aborted.

import { ApiError } from '../api-error.ts';

export const PAUSE_MODES = ['abort', 'wait', 'keep'] as const;
/** abort: ends the requests in progress with an error; wait: waits for their end; keep: neither. */
export type PauseMode = (typeof PAUSE_MODES)[number];

export class GenerationGate {
  readonly #running = new Map<Promise<unknown>, AbortController>();
  #pause: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  /** The signal is aborted with an ApiError by a pause. */
  async through<X>(work: (signal: AbortSignal) => Promise<X>): Promise<X> {
    while (this.#pause !== undefined) await this.#pause.over;
    const controller = new AbortController();
    const running = work(controller.signal);
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
      this.#pause = { over, end };
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
}
