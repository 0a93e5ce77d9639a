// The daemon's side of the thread that draws frames: starts it for the first drawing, and again after it ended or stopped answering.

import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { systemClock } from '../../core/system-clock.ts';
import { isPeerLost } from '../../rpc/client.ts';
import type { OwnedClient } from '../../rpc/owned-client.ts';
import { openThread } from '../../rpc/thread.ts';
import type { Drawing, FrameCalls, RedrawnPicture } from './redraw.ts';

export class FrameRenderError extends Error {
  override readonly name = 'FrameRenderError';
}

const DRAW_DEADLINE_MS = 60_000;

/** One drawing at a time: the caller orders them. */
export class FrameRenderer {
  readonly #entry: URL;
  readonly #notice: (message: string) => void;
  readonly #clock: Clock;
  #thread: Promise<OwnedClient<FrameCalls>> | undefined;

  /** `entry` is the bundled frames-worker.ts. `notice` hears when the thread ended or was killed. `clock` measures heartbeats. */
  constructor(entry: URL, notice: (message: string) => void, clock: Clock = systemClock) {
    this.#entry = entry;
    this.#notice = notice;
    this.#clock = clock;
  }

  /** Starts the thread ahead of the first drawing. */
  prepare(): void {
    // The first drawing reports the error.
    this.#started().catch(() => undefined);
  }

  /** Reports each picture as it is drawn. Returns the reasons of the verdict in words, where they were requested and are known. */
  async draw(drawing: Drawing, drawn: (picture: RedrawnPicture) => void): Promise<string | undefined> {
    const started = this.#started();
    try {
      const thread = await started;
      const progress = (picture: unknown) => drawn(picture as RedrawnPicture);
      return await thread.call('draw', drawing, { deadlineMs: DRAW_DEADLINE_MS, progress });
    } catch (error) {
      // The next drawing starts another thread, also when this one is still being ended.
      if (isPeerLost(error)) this.#replace(started, error.message);
      throw new FrameRenderError(messageOf(error), { cause: error });
    }
  }

  /** Resolves when the thread has ended. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    try {
      await (await thread)?.close();
    } catch {
      // A thread that did not start needs no end.
    }
  }

  #started(): Promise<OwnedClient<FrameCalls>> {
    if (this.#thread !== undefined) return this.#thread;
    const opened = openThread<FrameCalls, undefined>({
      ...{ name: 'frame renderer thread', entry: this.#entry, isEssential: false, clock: this.#clock },
    });
    const thread = opened.then(({ client }) => client);
    this.#thread = thread;
    void opened.then(({ ended }) => ended, messageOf).then(reason => this.#replace(thread, reason));
    return thread;
  }

  /** Several drawings and the thread itself may report the same end. */
  #replace(thread: Promise<OwnedClient<FrameCalls>>, reason: string): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#notice(`${reason} The next drawing starts it again.`);
  }
}
