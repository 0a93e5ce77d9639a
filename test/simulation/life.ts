// A process of the simulated run. When it dies, nothing that it waits for ever settles: its clock, its disk and its messages stop, so its
// code stops at the next of them. Code that only ends in order, such as handlers of an aborted signal, does not run.

import type { Clock } from '../../runtime/core/clock.ts';

export class Life {
  readonly name: string;
  readonly clock: Clock;
  #isDead = false;
  #deaths: (() => void)[] = [];

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.clock = {
      now: () => clock.now(),
      sleep: (milliseconds, signal) => this.whileAlive(clock.sleep(milliseconds, signal)),
    };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Settles like the work, unless the process dies first. */
  whileAlive<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      work.then(
        value => {
          if (!this.#isDead) resolve(value);
        },
        (error: unknown) => {
          if (!this.#isDead) reject(error);
        },
      );
    });
  }

  /** Called at its death, at once if it is dead. */
  onDeath(act: () => void): void {
    if (this.#isDead) act();
    else this.#deaths.push(act);
  }

  /** May be called more than once. */
  die(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    const deaths = this.#deaths;
    this.#deaths = [];
    for (const act of deaths) act();
  }
}
