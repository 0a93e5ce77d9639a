// Follows a recording: its screen and its state. One request waits at the daemon until something changes, so a change arrives at once, and
// a hidden page costs nothing.

import type { RecordingLook } from '../../runtime/protocol/daemon/record.ts';
import type { DaemonLink } from '../shared/link/link.ts';

interface LookerOptions {
  readonly link: () => DaemonLink;
  readonly received: (look: RecordingLook, png: Uint8Array<ArrayBuffer>) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

export class Looker {
  readonly #options: LookerOptions;
  #recording: string | undefined;
  #isActive = false;
  /** Replies to earlier rounds are ignored. */
  #round = 0;

  constructor(options: LookerOptions) {
    this.#options = options;
  }

  /** Undefined follows nothing. */
  follow(recording: string | undefined): void {
    if (recording === this.#recording) return;
    this.#recording = recording;
    this.again();
  }

  setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    this.again();
  }

  /** Starts anew: after a reconnect, or when the user tries again. */
  again(): void {
    this.#round += 1;
    if (this.#isActive && this.#recording !== undefined) void this.#look(this.#recording, this.#round);
  }

  async #look(recording: string, round: number): Promise<void> {
    const { link, received, failed } = this.#options;
    try {
      for (let [frame, change] = [0, 0]; round === this.#round; ) {
        const { result, bytes } = await link().requestBytes('record.look', { recording, frame, change });
        if (round !== this.#round) return;
        await received(result, bytes);
        frame = result.frame;
        change = result.state.change;
      }
    } catch (error) {
      if (round === this.#round) failed(error);
    }
  }
}
