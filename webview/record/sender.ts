// Sends the input of the person: one request at a time, with everything that has happened since the last one.

import type { RecordingState, SentInput } from '../../runtime/protocol/daemon/record.ts';
import type { DaemonLink } from '../shared/link/link.ts';

interface SenderOptions {
  readonly link: () => DaemonLink;
  /** The recording that gets the input; undefined: the input is dropped. */
  readonly recording: () => string | undefined;
  /** The screen that the person sees. */
  readonly frame: () => number;
  readonly received: (state: RecordingState) => void;
  readonly failed: (error: unknown) => void;
}

/** Each key of a held one is an action, which takes a guest seconds: the reply must come in time. The protocol allows more. */
const MAX_INPUTS = 32;

export class InputSender {
  readonly #options: SenderOptions;
  #waiting: SentInput[] = [];
  #isSending = false;
  /** The demonstration is about to end: input that follows does not belong to it. */
  #isEnding = false;
  /** Whether the latest input was sent without an error. */
  #sending = Promise.resolve(true);

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  send(event: SentInput['event'], time: number): void {
    if (this.#isEnding) return;
    this.#waiting.push({ event, time, frame: this.#options.frame() });
    if (!this.#isSending) this.#sending = this.#sendAll();
  }

  /** Takes no input until what waits has been sent. Resolves to false after an error, which was reported. */
  async sent(): Promise<boolean> {
    if (!this.#isSending) return true;
    this.#isEnding = true;
    try {
      return await this.#sending;
    } finally {
      this.#isEnding = false;
    }
  }

  /** Forgets what was not sent. */
  clear(): void {
    this.#waiting = [];
    this.#isEnding = false;
  }

  async #sendAll(): Promise<boolean> {
    const { link, recording, received, failed } = this.#options;
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0) {
        const inputs = this.#waiting.splice(0, MAX_INPUTS);
        const name = recording();
        if (name === undefined) continue;
        received(await link().request('record.input', { recording: name, inputs }));
      }
      return true;
    } catch (error) {
      this.clear();
      failed(error);
      return false;
    } finally {
      this.#isSending = false;
    }
  }
}
