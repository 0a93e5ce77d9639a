// The daemon's side of the thread that draws: starts it when something is to be drawn for the first time, and again where it ended.

import { Worker } from 'node:worker_threads';
import type { Drawing, Drawn, Order } from './calls.ts';
import type { Picture } from './redraw.ts';

export class FrameRenderError extends Error {
  override readonly name = 'DrawingError';
}

/** One drawing at a time: whoever has several decides which comes next. */
export class FrameRenderer {
  readonly #entry: URL;
  #worker: Worker | undefined;

  /** `entry` is the bundled frames-worker.ts. */
  constructor(entry: URL) {
    this.#entry = entry;
  }

  /** It takes a while to begin: whoever knows that something will be drawn soon says so. */
  prepare(): void {
    this.#worker ??= this.#started();
  }

  /** Each picture is told as it is made. Resolves after the last one with the reasons in words, where they were wanted and are known. */
  draw(drawing: Drawing, shot: (picture: Picture) => void): Promise<string | undefined> {
    const worker = this.#worker ?? this.#started();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        worker.off('message', answered).off('error', failed).off('exit', ended);
        act();
      };
      const answered = (drawn: Drawn) => {
        if (drawn.kind === 'picture') return shot(drawn.picture);
        settle(() => {
          if (drawn.kind === 'end') resolve(drawn.reasons);
          else reject(new FrameRenderError(drawn.message));
        });
      };
      const failed = (error: Error) => settle(() => reject(new FrameRenderError(error.message)));
      const ended = () => settle(() => reject(new FrameRenderError('the thread that draws ended')));
      worker.on('message', answered).on('error', failed).on('exit', ended);
      tell(worker, { kind: 'draw', drawing });
    });
  }

  /**
   * Resolves when the thread is gone. It ends by itself: Node 20 takes the whole program along with a thread that is made to end
   * at the moment at which it begins to compress.
   */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));
    worker.ref();
    tell(worker, { kind: 'end' });
    await ended;
  }

  #started(): Worker {
    const worker = new Worker(this.#entry);
    this.#worker = worker;
    // Nothing is lost with it, so it keeps no program alive.
    worker.unref();
    // Whoever waits for a drawing is told. Where nobody waits it is no reason to end the program: the next one starts another.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}

const tell = (worker: Worker, order: Order): void => worker.postMessage(order);
