// The daemon's side of the thread that draws frames: starts it for the first drawing, and again after it ended or stopped answering.

import { messageOf } from '../../core/errors.ts';
import type { OwnedClient } from '../../rpc/owned-client.ts';
import { openThread } from '../../rpc/thread.ts';
import type { Drawing, FrameCalls } from './calls.ts';
import type { RedrawnPicture } from './redraw.ts';

export class FrameRenderError extends Error {
  override readonly name = 'FrameRenderError';
}

const DRAW_DEADLINE_MS = 60_000;

/** One drawing at a time: the caller orders them. */
export class FrameRenderer {
  readonly #entry: URL;
  #thread: Promise<OwnedClient<FrameCalls>> | undefined;

  /** `entry` is the bundled frames-worker.ts. */
  constructor(entry: URL) {
    this.#entry = entry;
  }

  /** Starts the thread ahead of the first drawing. */
  prepare(): void {
    // The first drawing reports the error.
    this.#started().catch(() => undefined);
  }

  /** Reports each picture as it is drawn. Returns the reasons of the verdict in words, where they were requested and are known. */
  async draw(drawing: Drawing, drawn: (picture: RedrawnPicture) => void): Promise<string | undefined> {
    try {
      const thread = await this.#started();
      const progress = (picture: unknown) => drawn(picture as RedrawnPicture);
      return await thread.call('draw', drawing, { deadlineMs: DRAW_DEADLINE_MS, progress });
    } catch (error) {
      throw new FrameRenderError(messageOf(error), { cause: error });
    }
  }

  /** Resolves when the thread has ended. */
  async close(): Promise<void> {
    try {
      await (await this.#thread)?.close();
    } catch {
      // A thread that did not start needs no end.
    }
  }

  #started(): Promise<OwnedClient<FrameCalls>> {
    this.#thread ??= this.#start();
    return this.#thread;
  }

  async #start(): Promise<OwnedClient<FrameCalls>> {
    try {
      const thread = await openThread<FrameCalls, undefined>({
        name: 'frame renderer thread',
        entry: this.#entry,
        isEssential: false,
      });
      void thread.ended.then(() => this.#forget());
      return thread.client;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  #forget(): void {
    this.#thread = undefined;
  }
}
