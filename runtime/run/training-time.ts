import type { Clock } from '../core/clock.ts';
import { Stopwatch } from '../core/stopwatch.ts';

/** How long a run has trained over all of its processes, up to its limit. Pauses and stalls do not count. */
export class TrainingTime {
  readonly #limitSeconds: number;
  readonly #previousSeconds: number;
  readonly #stopwatch: Stopwatch;

  /** `previousSeconds`: what earlier processes of the run trained. It is stopped at first. */
  constructor(clock: Clock, limitSeconds: number, previousSeconds: number) {
    this.#limitSeconds = limitSeconds;
    this.#previousSeconds = previousSeconds;
    this.#stopwatch = new Stopwatch(clock);
  }

  /** Samples the clock; called several times a second while the run trains. */
  seconds(): number {
    return Math.min(this.#limitSeconds, this.#previousSeconds + this.#stopwatch.sample() / 1000);
  }

  isOver(): boolean {
    return this.seconds() >= this.#limitSeconds;
  }

  start(): void {
    this.#stopwatch.start();
  }

  stop(): void {
    this.#stopwatch.stop();
  }
}
