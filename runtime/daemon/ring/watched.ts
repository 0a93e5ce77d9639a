// A module that is to run until it is told to stop: where its process ends by itself, it is started again after a while.

import type { Clock } from '../../contracts/world.ts';
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
  /** The how-manieth it is, from 0. */
  readonly begin: (life: number) => Life;
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
  readonly #options: WatchedOptions;
  readonly #stop = new AbortController();
  readonly #over: Promise<void>;
  #life: Life;
  #lives = 0;

  private constructor(options: WatchedOptions) {
    this.#options = options;
    this.#life = options.begin(this.#lives++);
    this.#over = this.#watch();
  }

  /** Rejects where the first life does not get ready: then something is wrong that another will not mend. */
  static async open(options: WatchedOptions): Promise<Watched> {
    const watched = new Watched(options);
    try {
      await watched.#life.ready;
    } catch (error) {
      await watched.close();
      throw error;
    }
    return watched;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#life.close(PATIENCE);
    await this.#over;
  }

  async #watch(): Promise<void> {
    const { name, begin, clock, health } = this.#options;
    const { signal } = this.#stop;
    let pause = FIRST_PAUSE;
    for (;;) {
      const since = clock.now();
      const { message } = await this.#life.ended;
      if (signal.aborted) return;
      if (clock.now() - since >= LASTED) pause = FIRST_PAUSE;
      health(name, false, `${message} It is started again in ${pause / 1000} s.`);
      await clock.sleep(pause, signal).catch(() => undefined);
      if (signal.aborted) return;
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      this.#life = begin(this.#lives++);
      this.#life.ready.then(
        () => health(name, true, 'works again'),
        () => undefined,
      );
    }
  }
}
