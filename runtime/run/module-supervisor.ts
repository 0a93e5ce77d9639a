// A module that is to run until it is told to stop: where its process ends by itself, it is started again after a while.

import type { Clock } from '../core/clock.ts';
import type { End } from './module-process.ts';

/** A process of the module. */
export interface Life {
  /** Rejects where it ends before it is ready. */
  readonly ready: Promise<void>;
  readonly ended: Promise<End>;
  close(patience: number): Promise<void>;
}

export interface WatchedOptions {
  readonly name: string;
  readonly begin: () => Life;
  /** From where the next life goes on, for whoever is told that there will be one. */
  readonly from?: string;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** Milliseconds before it is started again: twice as long each time, up to the last; from anew after one that lasted. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
const LASTED = 60_000;
/** For what it still has to save. */
const PATIENCE = 20_000;

export class Watched {
  /** Rejects where the first life does not get ready: then something is wrong that another will not mend, and none is begun. */
  readonly ready: Promise<void>;
  readonly #options: WatchedOptions;
  readonly #stop = new AbortController();
  readonly #over: Promise<void>;
  #life: Life;
  #isReady = false;

  constructor(options: WatchedOptions) {
    this.#options = options;
    this.#life = options.begin();
    this.ready = this.#life.ready;
    this.#over = this.#watch();
  }

  /** May be called more than once. What is not ready has nothing to save, and is not waited for. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#life.close(this.#isReady ? PATIENCE : 0);
    await this.#over;
  }

  async #watch(): Promise<void> {
    const { name, begin, from, clock, health } = this.#options;
    const { signal } = this.#stop;
    const where = from === undefined ? '' : `, ${from}`;
    if (!(await this.#gotReady())) return;
    for (let [since, pause] = [clock.now(), FIRST_PAUSE]; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const { message } = await this.#life.ended;
      this.#isReady = false;
      if (signal.aborted) return;
      if (clock.now() - since >= LASTED) pause = FIRST_PAUSE;
      health(name, false, `${message} It is started again in ${pause / 1000} s${where}.`);
      await clock.sleep(pause, signal).catch(() => undefined);
      if (signal.aborted) return;
      since = clock.now();
      this.#life = begin();
      if (await this.#gotReady()) health(name, true, 'works again');
    }
  }

  /** False where it ended before. */
  async #gotReady(): Promise<boolean> {
    this.#isReady = await this.#life.ready.then(
      () => true,
      () => false,
    );
    return this.#isReady;
  }
}
