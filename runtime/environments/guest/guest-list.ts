// Lends the guests of a run. A guest that could not be prepared is left out, so that the desktops of the run use the others. It returns once
// it answers; with a command that restores it, it is also tried again from time to time.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';

export interface ListedGuest {
  readonly address: string;
  readonly host: {
    /** Why it could not be prepared the last time. */
    readonly outage: string | undefined;
    readonly hasRevert: boolean;
  };
  readonly api: {
    answers(): Promise<boolean>;
  };
}

export interface GuestListOptions {
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** A restored guest boots for minutes. */
const NEXT_TRY_MS = 600_000;

export class GuestList<Guest extends ListedGuest> {
  readonly #options: GuestListOptions;
  readonly #free: Guest[];
  readonly #count: number;
  /** With the time of the next try. */
  readonly #left = new Map<Guest, number>();

  constructor(guests: readonly Guest[], options: GuestListOptions) {
    this.#options = options;
    this.#free = [...guests];
    this.#count = guests.length;
  }

  /** Rejects with a BoundaryError if all are in use or left out. */
  async take(): Promise<Guest> {
    return this.#free.shift() ?? (await this.#returned()) ?? this.#refuse();
  }

  release(guest: Guest): void {
    const { clock, health } = this.#options;
    const { address, host } = guest;
    if (host.outage === undefined) {
      this.#free.push(guest);
      return;
    }
    this.#left.set(guest, clock.now() + NEXT_TRY_MS);
    const again = host.hasRevert
      ? `It is used again once it answers, and restored again in ${NEXT_TRY_MS / 60_000} minutes.`
      : 'It is used again once it answers.';
    const why = host.outage.replace(/\.$/, '');
    health(`guest ${address}`, false, `is left out, and the others go on: ${why}. Restart it. ${again}`);
  }

  async #returned(): Promise<Guest | undefined> {
    const { clock, health } = this.#options;
    for (const [guest, nextTry] of [...this.#left]) {
      const answers = await guest.api.answers();
      // Another desktop may have taken it meanwhile.
      if (!this.#left.has(guest)) continue;
      if (!answers && !(guest.host.hasRevert && clock.now() >= nextTry)) continue;
      this.#left.delete(guest);
      health(`guest ${guest.address}`, true, answers ? 'answers again' : 'is tried again');
      return guest;
    }
    return undefined;
  }

  #refuse(): never {
    const left = [...this.#left.keys()].map(({ address }) => address);
    const message =
      left.length === 0
        ? `all ${this.#count} guests are in use. Add to 'environments.guest.hosts'.`
        : `no guest is free, and ${left.join(', ')} ${left.length === 1 ? 'does' : 'do'} not answer. Restart ${left.length === 1 ? 'it' : 'them'}.`;
    throw new BoundaryError({
      ...{ boundary: 'provider', thing: 'guests', message },
      ...(left.length === 0 && { isPermanent: true as const }),
    });
  }
}
