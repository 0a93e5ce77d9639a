// How a benchmark shows itself: progress on standard error while it runs, one JSON object as the last line of standard
// output when it ends, and its outcome as a file. Parts that an interrupted run had finished are not run again, however long ago.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeptParts, writeWhole } from './results/kept.ts';
import {
  type Certainty,
  type Machine,
  nameOf,
  type Outcome,
  type Point,
  type Series,
} from './results/outcome.ts';

export interface Options {
  readonly json: boolean;
  readonly seeds: number;
  /** Time that the benchmark may take, in minutes; each has its own default. */
  readonly minutes?: number;
  /** A file of real rewards, for the benchmark of curation. */
  readonly table?: string;
}

export type Figures = Readonly<Record<string, number>>;

export interface Result {
  readonly figures: Figures;
  readonly config: Readonly<Record<string, unknown>>;
  readonly versions: Readonly<Record<string, string>>;
  /** Of the figures that have any. */
  readonly certainty?: Readonly<Record<string, Certainty>>;
  /** What pictures are drawn of, by 'picture/curve'. */
  readonly series?: Series;
}

export interface Benchmark {
  readonly name: string;
  /** The option that asks for this way of measuring it; none is the usual way. */
  readonly variant?: string;
  readonly summary: string;
  /** How many it takes where nobody says; 1 where absent. */
  readonly seeds?: number;
  /** What it measures is no matter of speed: parts from any machine belong together. */
  readonly isAlikeAnywhere?: boolean;
  run(report: Report, options: Options): Promise<Result>;
}

/** Where outcomes are kept, unless somebody says otherwise. Nothing below it is for a repository. */
export const OUT = join('.dartboard', 'bench');

export interface ReportOptions {
  readonly folder: string;
  readonly quiet: boolean;
  /** Parts are kept for who asks for the same again. */
  readonly settings: unknown;
  /** Whether to forget what an interrupted run left. */
  readonly fresh: boolean;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  readonly build: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Named = Pick<Benchmark, 'name' | 'variant' | 'isAlikeAnywhere'>;

export class Report {
  readonly #benchmark: Named;
  readonly #options: ReportOptions;
  readonly #kept: KeptParts;
  readonly #started: number;
  /** Of the parts of earlier runs. */
  #before = 0;
  /** Seconds of each part that is done, measured now or before. */
  #done: readonly number[] = [];
  readonly #builds: Set<string>;
  readonly #processors: Set<string>;

  constructor(benchmark: Named, options: ReportOptions) {
    const { folder, settings, fresh, machine, build, now } = options;
    const { processor, cores } = machine;
    this.#benchmark = benchmark;
    this.#options = options;
    this.#started = now();
    this.#builds = new Set([build]);
    this.#processors = new Set(textsIn(processor));
    const whole = { settings, ...(benchmark.isAlikeAnywhere !== true && { machine: { processor, cores } }) };
    this.#kept = new KeptParts(folder, this.#name, whole);
    if (fresh) this.#kept.forget();
    if (folder === OUT) keepOutOfRepositories(folder);
  }

  /** Where outcomes are kept: there is room for what parts leave beside their results. */
  get folder(): string {
    return this.#options.folder;
  }

  say(text: string): void {
    if (!this.#options.quiet) process.stderr.write(`${text}\n`);
  }

  /** A measurement of its own; its result is kept until the benchmark has ended. `of` is how many there are in all. */
  async part<T>(name: string, of: number, measure: () => Promise<T>): Promise<T> {
    const known = this.#kept.parts[name];
    const place = `[${this.#done.length + 1}/${of}] ${name}`;
    if (known !== undefined) {
      this.say(`${place} (${this.#keptFrom(known)})`);
      this.#done = [...this.#done, known.seconds];
      this.#before += known.seconds;
      if (!this.#builds.has(known.build)) this.say('  The program has changed since: --fresh measures anew.');
      this.#builds.add(known.build);
      for (const processor of textsIn(known.processor)) this.#processors.add(processor);
      return known.value as T;
    }
    this.say(`${place}${this.#left(of)}`);
    const { now, build, machine } = this.#options;
    const from = now();
    const value = await measure();
    const seconds = (now() - from) / 1000;
    this.#done = [...this.#done, seconds];
    this.#kept.keep(name, { value, seconds, at: now(), build, processor: machine.processor });
    return value;
  }

  /** Keeps the outcome, and says where. */
  finished(result: Result, seeds: number): Outcome {
    const { folder, machine, versions, now } = this.#options;
    const { name: bench, variant } = this.#benchmark;
    const { certainty = {}, series = {}, config } = result;
    const figures = finite(result.figures);
    for (const name of Object.keys(result.figures))
      if (figures[name] === undefined) this.say(`  ${name} came to no number, and is left out`);
    const outcome: Outcome = {
      bench,
      ...(variant !== undefined && { variant }),
      figures,
      ...(Object.keys(certainty).length > 0 && { certainty: mapped(certainty, finite) }),
      config,
      versions: { ...versions, ...result.versions },
      seeds,
      machine,
      date: new Date(now()).toISOString().slice(0, 19).concat('Z'),
      seconds: Math.round(this.#before + (now() - this.#started) / 1000),
      ...(this.#builds.size > 1 && { builds: [...this.#builds] }),
      ...(this.#processors.size > 1 && { processors: [...this.#processors] }),
      ...(Object.keys(series).length > 0 && { series: mapped(series, pointsOf) }),
    };
    const file = join(folder, `${this.#name}.json`);
    writeWhole(file, `${JSON.stringify(outcome, undefined, 1)}\n`);
    this.#kept.forget();
    this.say(`  kept in ${file}`);
    return outcome;
  }

  get #name(): string {
    const { name: bench, variant } = this.#benchmark;
    return nameOf({ bench, variant });
  }

  #keptFrom({ at, build }: { readonly at: number; readonly build: string }): string {
    const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    return `kept from ${when} UTC${build === this.#options.build ? '' : ', by another build of the program'}`;
  }

  #left(of: number): string {
    if (this.#done.length === 0) return '';
    const mean = this.#done.reduce((sum, each) => sum + each, 0) / this.#done.length;
    return `, about ${Math.ceil(mean * (of - this.#done.length))} s left`;
  }
}

const textsIn = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

const mapped = <A, B>(all: Readonly<Record<string, A>>, change: (each: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(all).map(([name, each]) => [name, change(each)]));

/** JSON knows no others. */
const finite = <T extends object>(numbers: T): T =>
  Object.fromEntries(
    Object.entries(numbers).filter(([, value]) => typeof value !== 'number' || Number.isFinite(value)),
  ) as T;

const pointsOf = (points: readonly Point[]): Point[] =>
  points.filter(({ y }) => Number.isFinite(y)).map(finite);

function keepOutOfRepositories(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
}

export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
};
