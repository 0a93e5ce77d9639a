// Polls the live desktops while the panel is visible. One request at a time: a slow page gets fewer pictures, and never old ones.

import type { DaemonLink, ReplyWithBytes } from '../shared/link/link.ts';

type DesktopsReply = ReplyWithBytes<'desktops.look'>;

interface Options {
  readonly link: () => DaemonLink;
  /** The parameters of the next request; `desktop` in full size. */
  readonly params: () => { readonly after: number; readonly desktop?: string };
  /** The next request waits for this promise. */
  readonly received: (answer: DesktopsReply) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

const POLL_INTERVAL_MS = 250;
/** With one desktop in full size. Each request waits for its next picture. */
const WHOLE_POLL_INTERVAL_MS = 40;
/** While no run trains. */
const IDLE_POLL_INTERVAL_MS = 1000;

export class DesktopsPoller {
  readonly #options: Options;
  #isActive = false;
  /** Replies to earlier rounds are ignored. */
  #round = 0;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    this.pollNow();
  }

  /** Another desktop is shown now. */
  pollNow(): void {
    clearTimeout(this.#next);
    this.#round += 1;
    if (this.#isActive) void this.#poll(this.#round);
  }

  async #poll(round: number): Promise<void> {
    const { link, params, received, failed } = this.#options;
    const since = performance.now();
    const asked = params();
    try {
      const answer = await link().requestBytes('desktops.look', asked);
      if (round !== this.#round) return;
      await received(answer);
      if (round !== this.#round) return;
      const live = asked.desktop === undefined ? POLL_INTERVAL_MS : WHOLE_POLL_INTERVAL_MS;
      const pace = answer.result.run === undefined ? IDLE_POLL_INTERVAL_MS : live;
      const rest = Math.max(0, pace - (performance.now() - since));
      this.#next = setTimeout(() => void this.#poll(round), rest);
    } catch (error) {
      // Polling resumes after a reconnect, or when the user tries again.
      if (round === this.#round) failed(error);
    }
  }
}
