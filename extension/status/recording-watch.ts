// Follows the recording in progress on the daemon, whichever client owns it: another window, a browser or a terminal may have started it.
// Asks only while the client is connected, so that it never starts a daemon.

import { type Clock, sleepUnlessAborted } from '../../runtime/core/clock.ts';
import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import type { DaemonClient } from '../daemon/client.ts';

export interface RecordingWatchOptions {
  readonly client: Pick<DaemonClient, 'state' | 'listen' | 'request'>;
  readonly clock: Clock;
  /** Called with undefined when there is no recording any more. */
  readonly changed: (recording: RecordingState | undefined) => void;
  /** Called when a recording was saved or discarded, in any window. */
  readonly ended: () => void;
}

/** A person notices a delay of this length. */
const POLL_INTERVAL_MS = 2000;

export class RecordingWatch {
  readonly #options: RecordingWatchOptions;
  readonly #subscription: { dispose(): void };
  #polling: AbortController | undefined;
  #last: RecordingState | undefined;

  constructor(options: RecordingWatchOptions) {
    this.#options = options;
    this.#subscription = options.client.listen({ stateChanged: () => this.#follow() });
    this.#follow();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#polling?.abort();
  }

  #follow(): void {
    const isConnected = this.#options.client.state.kind === 'connected';
    if (isConnected && this.#polling === undefined) {
      this.#polling = new AbortController();
      void this.#poll(this.#polling.signal);
    } else if (!isConnected) {
      this.#polling?.abort();
      this.#polling = undefined;
      this.#set(undefined);
    }
  }

  /** Never rejects. */
  async #poll(signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    while (!signal.aborted) {
      const { recording } = await client.request('record.now', {}).catch(() => NONE);
      if (signal.aborted) return;
      const isOver = this.#last !== undefined && recording?.recording !== this.#last.recording;
      this.#set(recording);
      if (isOver) this.#options.ended();
      await sleepUnlessAborted(clock, POLL_INTERVAL_MS, signal);
    }
  }

  #set(recording: RecordingState | undefined): void {
    const isSame = recording?.recording === this.#last?.recording && recording?.change === this.#last?.change;
    this.#last = recording;
    if (!isSame) this.#options.changed(recording);
  }
}

/** There is no recording, the request failed, or an older daemon does not know it. */
const NONE: { readonly recording?: RecordingState } = {};
