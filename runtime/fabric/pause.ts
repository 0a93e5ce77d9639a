// Follows the pause and resume commands of a run, for modules that work even when nothing is ordered.

import type { Clock } from '../core/clock.ts';
import type { Command } from '../core/command.ts';
import type { RunId } from '../core/ids.ts';
import { orUndefinedWhenAborted, runTogether, untilAborted } from '../core/run-together.ts';
import { Stopwatch } from '../core/stopwatch.ts';
import type { Log } from './channels.ts';

export class Pause {
  readonly #commands: Log<Command>;
  readonly #run: RunId;
  readonly #clock: Clock;
  readonly #stopwatch: Stopwatch;
  #changed = new AbortController();

  constructor(commands: Log<Command>, run: RunId, clock: Clock) {
    this.#commands = commands;
    this.#run = run;
    this.#clock = clock;
    this.#stopwatch = new Stopwatch(clock);
  }

  get isOn(): boolean {
    return this.#stopwatch.isRunning;
  }

  /** Aborted when the next pause begins, or the current one ends. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  /** Also resolves when a pause begins or ends, and when the signal is aborted. The time may be infinite. */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { changed } = this;
    await runTogether(signal, [
      over => untilAborted(over, changed),
      over =>
        Number.isFinite(milliseconds)
          ? orUndefinedWhenAborted(over, this.#clock.sleep(milliseconds, over))
          : untilAborted(over),
    ]);
  }

  /** The total of all pauses in milliseconds. Sampled at least once a minute. */
  sample(): number {
    return this.#stopwatch.sample();
  }

  /** Until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const { entry } of this.#commands.read(0, signal)) {
      if (entry.run !== this.#run) continue;
      if (entry.kind === 'pause' && !this.isOn) this.#stopwatch.start();
      else if (entry.kind === 'resume' && this.isOn) this.#stopwatch.stop();
      else continue;
      this.#changed.abort();
      this.#changed = new AbortController();
    }
  }
}
