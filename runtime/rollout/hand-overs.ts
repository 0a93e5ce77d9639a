// Desktops that change hands in the middle of an episode: who wants which desktop, and which episode plays on it.

import type { Lease } from '../core/desktop.ts';
import type { DesktopId } from '../core/ids.ts';
import type { InterruptedEpisode } from '../core/loan.ts';
import { Line } from '../fabric/line.ts';
import type { EpisodeStop } from './stop.ts';

/** An episode ends with it when its desktop is handed over. */
export class HandedOver extends Error {
  override readonly name = 'HandedOver';

  constructor(readonly episode: InterruptedEpisode) {
    super('The desktop of this episode was handed over.');
  }
}

export interface HandedDesktop {
  /** The receiver releases it. */
  readonly lease: Lease;
  readonly episode: InterruptedEpisode;
}

export class HandOvers {
  readonly #playing = new Map<DesktopId, EpisodeStop>();
  readonly #wanted = new Map<DesktopId, Line<HandedDesktop>>();

  isPlaying(desktop: DesktopId): boolean {
    return this.#playing.has(desktop);
  }

  /** Interrupts the episode on this desktop, or the next one. Rejects with the signal's reason when it is aborted first. */
  async take(desktop: DesktopId, signal: AbortSignal): Promise<HandedDesktop> {
    const line = this.#wanted.get(desktop) ?? new Line();
    this.#wanted.set(desktop, line);
    const handed = line.wait(signal);
    this.#interrupt(desktop);
    try {
      return await handed;
    } finally {
      if (line.length === 0) this.#wanted.delete(desktop);
    }
  }

  /** From here on the methods are for the player of the episodes. */
  began(desktop: DesktopId, stop: EpisodeStop): void {
    this.#playing.set(desktop, stop);
    if (this.#wanted.has(desktop)) this.#interrupt(desktop);
  }

  ended(desktop: DesktopId): void {
    this.#playing.delete(desktop);
  }

  /** Returns whether somebody still wants the desktop. */
  give(handed: HandedDesktop): boolean {
    return this.#wanted.get(handed.lease.desktop.id)?.serve(handed) === true;
  }

  #interrupt(desktop: DesktopId): void {
    this.#playing.get(desktop)?.end(new Error('The desktop is handed over.'));
  }
}
