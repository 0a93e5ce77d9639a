// Whether a run is paused, by the commands that it was given: for modules that have something to do even when nobody orders anything.

import type { Clock } from '../core/clock.ts';
import type { Command } from '../core/command.ts';
import type { RunId } from '../core/ids.ts';
import { Stopwatch } from '../core/stopwatch.ts';
import type { Log } from './channels.ts';

export class Pause {
  readonly #commands: Log<Command>;
  readonly #run: RunId;
  readonly #watch: Stopwatch;
  #over = new AbortController();

  constructor(commands: Log<Command>, run: RunId, clock: Clock) {
    this.#commands = commands;
    this.#run = run;
    this.#watch = new Stopwatch(clock);
  }

  get isOn(): boolean {
    return this.#watch.goesOn;
  }

  /** Milliseconds in all, up to now. */
  get milliseconds(): number {
    return this.#watch.milliseconds;
  }

  /** Aborted when the present pause is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const { entry } of this.#commands.read(0, signal)) {
      if (entry.run !== this.#run) continue;
      if (entry.kind === 'pause') this.#watch.goOn();
      else if (entry.kind === 'resume' && this.isOn) this.#end();
    }
  }

  #end(): void {
    this.#watch.stand();
    this.#over.abort();
    this.#over = new AbortController();
  }
}
