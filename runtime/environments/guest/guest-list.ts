// Lends the guests of a run. A guest that could not be prepared is left out, so that the desktops of the run use the others. It returns once
// it answers after a restart, or is tried again after a time: a guest that answers all the time need not work.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import { type Backoff, backoffMs } from '../../core/retry.ts';

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

/** A command that restores a guest can fail once. The limit is that of a guest that boots. */
const BACKOFF: Backoff = { firstMs: 60_000, maxMs: 600_000 };

interface Absence {
  readonly nextTry: number;
  /** It did not answer since it was left out: if it answers, it was restarted. */
  wasAway: boolean;
}

export class GuestList<Guest extends ListedGuest> {
  readonly #options: GuestListOptions;
  readonly #free: Guest[];
  readonly #count: number;
  readonly #left = new Map<Guest, Absence>();
  /** In a row. */
  readonly #failures = new Map<Guest, number>();

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
      this.#failures.delete(guest);
      this.#free.push(guest);
      return;
    }
    const failures = (this.#failures.get(guest) ?? 0) + 1;
    this.#failures.set(guest, failures);
    const delayMs = backoffMs(failures, BACKOFF);
    this.#left.set(guest, { nextTry: clock.now() + delayMs, wasAway: false });
    const wait = `${delayMs / 60_000} min`;
    const again = host.hasRevert
      ? `It is used again after a restart, and restored again in ${wait}.`
      : `It is used again after a restart, or in ${wait} if it answers then.`;
    const why = host.outage.replace(/\.$/, '');
    health(`guest ${address}`, false, `is left out, and the others go on: ${why}. Restart it. ${again}`);
  }

  async #returned(): Promise<Guest | undefined> {
    const { clock, health } = this.#options;
    for (const [guest, absence] of [...this.#left]) {
      const answers = await guest.api.answers();
      // Another desktop may have taken it meanwhile.
      if (this.#left.get(guest) !== absence) continue;
      absence.wasAway ||= !answers;
      const isRestarted = answers && absence.wasAway;
      const isDue = clock.now() >= absence.nextTry && (answers || guest.host.hasRevert);
      if (!isRestarted && !isDue) continue;
      this.#left.delete(guest);
      health(`guest ${guest.address}`, true, isRestarted ? 'answers again' : 'is tried again');
      return guest;
    }
    return undefined;
  }

  #refuse(): never {
    const left = [...this.#left.keys()].map(({ address }) => address);
    const message =
      left.length === 0
        ? `all ${this.#count} guests are in use. Add to 'environments.guest.hosts'.`
        : `no guest is free, and ${left.join(', ')} ${left.length === 1 ? 'is' : 'are'} left out. Restart ${left.length === 1 ? 'it' : 'them'}.`;
    throw new BoundaryError({
      ...{ boundary: 'provider', thing: 'guests', message },
      ...(left.length === 0 && { isPermanent: true as const }),
    });
  }
}
