// How a benchmark shows itself: progress on standard error while it runs, one JSON object as the last line of standard
// output when it ends. Parts that an interrupted run had finished are not run again.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';

export interface Options {
  readonly json: boolean;
  readonly seeds: number;
  /** Time that the benchmark may take, in minutes; each has its own default. */
  readonly minutes?: number;
}

export type Figures = Readonly<Record<string, number>>;

export interface Result {
  readonly figures: Figures;
  readonly config: Readonly<Record<string, unknown>>;
  readonly versions: Readonly<Record<string, string>>;
}

export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  run(report: Report, options: Options): Promise<Result>;
}

/** What an interrupted run left, older than this, says little about the machine as it is now. */
const FORGOTTEN_AFTER_MS = 3600_000;

interface Saved {
  readonly key: string;
  readonly at: number;
  readonly parts: Record<string, unknown>;
}

export class Report {
  readonly #file: string;
  readonly #key: string;
  readonly #quiet: boolean;
  readonly #started = Date.now();
  #parts: Record<string, unknown> = {};
  #done = 0;

  constructor(name: string, options: Options, folder: string) {
    this.#file = `${folder}/${name}.unfinished.json`;
    this.#key = JSON.stringify({
      name,
      seeds: options.seeds,
      minutes: options.minutes,
      cpu: cpus()[0]?.model,
    });
    this.#quiet = options.json;
    this.#parts = this.#saved();
  }

  say(text: string): void {
    if (!this.#quiet) process.stderr.write(`${text}\n`);
  }

  /** A measurement of its own; its result is kept until the benchmark has ended. `of` is how many there are in all. */
  async part<T>(name: string, of: number, measure: () => Promise<T>): Promise<T> {
    const known = this.#parts[name];
    const spent = (Date.now() - this.#started) / 1000;
    const left =
      this.#done === 0 ? '' : `, about ${Math.ceil((spent / this.#done) * (of - this.#done))} s left`;
    this.say(
      `[${this.#done + 1}/${of}] ${name}${known === undefined ? left : ' (kept from the run before)'}`,
    );
    const result = known === undefined ? await measure() : (known as T);
    this.#done += 1;
    this.#parts[name] = result;
    const saved: Saved = { key: this.#key, at: Date.now(), parts: this.#parts };
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(saved));
    return result;
  }

  finished(): void {
    rmSync(this.#file, { force: true });
  }

  #saved(): Record<string, unknown> {
    try {
      const saved = JSON.parse(readFileSync(this.#file, 'utf8')) as Saved;
      return saved.key === this.#key && Date.now() - saved.at < FORGOTTEN_AFTER_MS ? saved.parts : {};
    } catch {
      return {};
    }
  }
}

export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
};
