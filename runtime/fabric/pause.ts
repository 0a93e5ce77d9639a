// Follows the pause and resume commands of a run, for modules that work even when nothing is ordered.

import type { Clock } from '../core/clock.ts';
import type { Command } from '../core/command.ts';
import type { RunId } from '../core/ids.ts';
import { Stopwatch } from '../core/stopwatch.ts';
import type { Log } from './channels.ts';

export class Pause {
  readonly #commands: Log<Command>;
  readonly #run: RunId;
  readonly #stopwatch: Stopwatch;
  #over = new AbortController();

  constructor(commands: Log<Command>, run: RunId, clock: Clock) {
    this.#commands = commands;
    this.#run = run;
    this.#stopwatch = new Stopwatch(clock);
  }

  get isOn(): boolean {
    return this.#stopwatch.isRunning;
  }

  /** Aborted when the current pause ends. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** The total of all pauses in milliseconds. Sampled at least once a minute. */
  sample(): number {
    return this.#stopwatch.sample();
  }

  /** Until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const { entry } of this.#commands.read(0, signal)) {
      if (entry.run !== this.#run) continue;
      if (entry.kind === 'pause') this.#stopwatch.start();
      else if (entry.kind === 'resume' && this.isOn) this.#end();
    }
  }

  #end(): void {
    this.#stopwatch.stop();
    this.#over.abort();
    this.#over = new AbortController();
  }
}
