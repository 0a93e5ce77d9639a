// Detects a daemon that keeps the connection open but does not answer, within 13 s.

import type { DaemonLife } from '../../runtime/protocol/daemon/messages.ts';
import { RequestTimeoutError } from '../shared/errors.ts';
import type { DaemonLink } from '../shared/link/link.ts';

/** Together with the deadline of `daemon.life` (8 s). */
const HEARTBEAT_INTERVAL_MS = 5000;

export class Heartbeat {
  readonly #link: () => DaemonLink;
  readonly #onChange: (isResponsive: boolean, life?: DaemonLife) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isWaiting = false;

  /** Calls `onChange` after each heartbeat, with its reply. */
  constructor(link: () => DaemonLink, onChange: (isResponsive: boolean, life?: DaemonLife) => void) {
    this.#link = link;
    this.#onChange = onChange;
  }

  /** Runs while the page is connected. */
  setConnected(isConnected: boolean): void {
    clearInterval(this.#timer);
    if (isConnected) this.#timer = setInterval(() => void this.#beat(), HEARTBEAT_INTERVAL_MS);
  }

  async #beat(): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    try {
      this.#onChange(true, await this.#link().request('daemon.life', {}));
    } catch (error) {
      // Other errors are replies, or the loss of the connection, which the link reports itself.
      if (error instanceof RequestTimeoutError) this.#onChange(false);
    } finally {
      this.#isWaiting = false;
    }
  }
}
