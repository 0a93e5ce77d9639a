// The run of one benchmark: progress on standard error, and its outcome as a file. Parts that an interrupted run finished are kept in
// a second file, and are not measured again. Some benchmarks keep them for good, so that later runs add seeds.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import {
  type BenchOutcome,
  type BenchSeries,
  type Certainty,
  type MachineInfo,
  outcomeName,
} from './results/outcome.ts';

export interface BenchOptions {
  readonly seeds: number;
  /** Duration of the benchmark; each has its own default. */
  readonly minutes?: number;
  /** The number of faults, or of desktops and the hosts that have them, for the benchmark of hosts. */
  readonly faults?: number;
  readonly desktops?: number;
  readonly hosts?: number;
  /** The number of kills and of stalls, for the benchmark survive. */
  readonly kills?: number;
  readonly stalls?: number;
  /** Of desktops at the pace of OSWorld. */
  readonly hours?: number;
  /** The file of recorded rewards, for the curation benchmark. */
  readonly table?: string;
  /** A folder with task files of OSWorld, for the benchmark osworld. */
  readonly tasks?: string;
  /** One input of the benchmark survive, as BORDER:NUMBER; with kills, a kind of run or one of its faults. */
  readonly input?: string;
  /** The folder of MiniWoB++ pages, for the web benchmark. */
  readonly miniwob?: string;
  /** The arms to measure now; all without it. */
  readonly arms?: readonly string[];
}

export type Figures = Readonly<Record<string, number>>;

export interface BenchResult {
  readonly figures: Figures;
  readonly config: Readonly<Record<string, unknown>>;
  readonly versions?: Readonly<Record<string, string>>;
  readonly certainty?: Readonly<Record<string, Certainty>>;
  /** Curves and bars of the pictures, keyed by 'picture/curve'. */
  readonly series?: BenchSeries;
}

export interface Benchmark {
  readonly name: string;
  /** The command-line option that selects this benchmark of several with one name. */
  readonly variant?: string;
  readonly summary: string;
  /** The default number of seeds; 1 if absent. */
  readonly seeds?: number;
  /** The default minutes of a training. Required where seeds are added: a seed is reused only with equal minutes. */
  readonly minutes?: number;
  /** The figures do not depend on the speed of the machine: a run may resume on another one. */
  readonly isSpeedIndependent?: boolean;
  /**
   * Each part names its seed. The parts stay beside the outcome, and a later run with more seeds, also on another machine, measures only the
   * others.
   */
  readonly addsSeeds?: boolean;
  /** Arms that can be measured alone: the outcome has what earlier runs measured of the others. */
  readonly arms?: readonly string[];
  run(report: Report, options: BenchOptions): Promise<BenchResult>;
}

/** The default folder of outcomes; it ignores itself in git. */
export const OUT = join('.dartboard', 'bench');

/** In the folder of outcomes. */
const UNFINISHED = 'unfinished';
const PARTS = 'parts';

export interface ReportOptions {
  readonly folder: string;
  /** Trainings keep their folders here, with checkpoints, trajectories and logs. */
  readonly keep?: string | undefined;
  readonly quiet: boolean;
  /** The arguments of the benchmark, for the page of results. */
  readonly command?: string;
  /** Finished parts are reused only with equal settings. */
  readonly settings: unknown;
  /** Discards the parts of an interrupted run. */
  readonly fresh: boolean;
  readonly machine: MachineInfo;
  readonly versions: Readonly<Record<string, string>>;
  readonly build: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const unfinished = z.strictObject({
  settings: z.unknown(),
  parts: z.record(
    z.string(),
    z.strictObject({
      ...{ value: z.unknown(), seconds: z.number(), at: z.number() },
      ...{ build: z.string(), processor: z.string().optional() },
    }),
  ),
});
type Unfinished = z.infer<typeof unfinished>;

type ReportedBenchmark = Pick<Benchmark, 'name' | 'variant' | 'isSpeedIndependent' | 'addsSeeds' | 'arms'>;

export class Report {
  readonly #benchmark: ReportedBenchmark;
  readonly #options: ReportOptions;
  readonly #startedAt: number;
  readonly #file: string;
  #unfinished: Unfinished;
  /** Seconds of each finished part, and the sum of those that an earlier run measured. */
  readonly #partSeconds: number[] = [];
  #earlierSeconds = 0;
  readonly #builds: Set<string>;
  readonly #processors: Set<string>;

  constructor(benchmark: ReportedBenchmark, options: ReportOptions) {
    const { folder, fresh, machine, build, now } = options;
    const { processor, cores } = machine;
    this.#benchmark = benchmark;
    this.#options = options;
    this.#startedAt = now();
    this.#builds = new Set([build]);
    this.#processors = new Set(processor === undefined ? [] : [processor]);
    const settings = {
      settings: options.settings,
      ...(!benchmark.isSpeedIndependent && !benchmark.addsSeeds && { machine: { processor, cores } }),
    };
    const hash = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8);
    this.#file = join(folder, benchmark.addsSeeds ? PARTS : UNFINISHED, `${this.#name}-${hash}.json`);
    if (fresh) rmSync(this.#file, { force: true });
    this.#unfinished = readUnfinished(this.#file) ?? { settings, parts: {} };
    if (folder === OUT) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, '.gitignore'), '*\n');
    }
  }

  /** The folder of outcomes; parts may leave files beside them. */
  get folder(): string {
    return this.#options.folder;
  }

  /** For files that only an interrupted run needs. */
  get unfinishedFolder(): string {
    return join(this.#options.folder, UNFINISHED);
  }

  get keep(): string | undefined {
    return this.#options.keep;
  }

  say(text: string): void {
    if (!this.#options.quiet) process.stderr.write(`${text}\n`);
  }

  /** An earlier run measured this part. */
  has(name: string): boolean {
    return this.#unfinished.parts[name] !== undefined;
  }

  /** Measures one of `count` parts, unless an interrupted run has finished it. */
  async part<T>(name: string, count: number, measure: () => Promise<T>): Promise<T> {
    const { now, build, machine } = this.#options;
    const found = this.#unfinished.parts[name];
    const title = `[${this.#partSeconds.length + 1}/${count}] ${name}`;
    if (found !== undefined) {
      const when = new Date(found.at).toISOString().slice(0, 16).replace('T', ' ');
      this.say(`${title} (measured at ${when} UTC${found.build === build ? '' : ', by another build'})`);
      if (!this.#builds.has(found.build)) this.say('  The build has changed since. --fresh measures again.');
      this.#builds.add(found.build);
      if (found.processor !== undefined) this.#processors.add(found.processor);
      this.#partSeconds.push(found.seconds);
      this.#earlierSeconds += found.seconds;
      // The settings in the file name fix which benchmark wrote the value, and so its type.
      return found.value as T;
    }
    const done = this.#partSeconds.length;
    const mean = this.#partSeconds.reduce((sum, each) => sum + each, 0) / done;
    this.say(done === 0 ? title : `${title}, about ${Math.ceil(mean * (count - done))} s left`);
    const from = now();
    const value = await measure();
    const part = { value, seconds: (now() - from) / 1000, at: now(), build, processor: machine.processor };
    this.#partSeconds.push(part.seconds);
    this.#unfinished = { ...this.#unfinished, parts: { ...this.#unfinished.parts, [name]: part } };
    writeWhole(this.#file, `${JSON.stringify(this.#unfinished, undefined, 1)}\n`);
    return value;
  }

  /** Before measuring: an outcome of more seeds is worth more than its successor would be. */
  requireSeeds(seeds: number): void {
    const { folder, fresh } = this.#options;
    const file = join(folder, `${this.#name}.json`);
    if (!this.#benchmark.addsSeeds || fresh || !existsSync(file)) return;
    const known = z.object({ seeds: z.number() }).parse(JSON.parse(readFileSync(file, 'utf8'))).seeds;
    if (known > seeds)
      throw new RangeError(
        `${file} has the results of ${known} seeds, and --seeds ${seeds} would replace them. Give --seeds ${known} or more, another folder with --out, or --fresh.`,
      );
  }

  /** Prints the figures and writes the outcome to its file. */
  finish(result: BenchResult, seeds: number): BenchOutcome {
    const { folder, machine, versions, now } = this.#options;
    const { name: bench, variant } = this.#benchmark;
    const { certainty, series, config } = result;
    const figures = rounded(result.figures);
    for (const name of Object.keys(result.figures)) {
      const value = figures[name];
      const { low, high } = certainty?.[name] ?? {};
      const interval = low === undefined || high === undefined ? '' : `  (95 %: ${low} to ${high})`;
      this.say(`  ${name.padEnd(32)} ${value === undefined ? 'no number' : `${value}${interval}`}`);
    }
    const withoutNumber = Object.keys(result.figures).filter(name => figures[name] === undefined);
    const command = this.#commandOf(config);
    const outcome: BenchOutcome = {
      bench,
      ...(variant !== undefined && { variant }),
      figures,
      ...(withoutNumber.length > 0 && { withoutNumber }),
      ...(command !== undefined && { command }),
      ...(certainty !== undefined && { certainty: mapValues(certainty, rounded) }),
      config,
      versions: { ...versions, ...result.versions },
      seeds,
      machine,
      date: `${new Date(now()).toISOString().slice(0, 19)}Z`,
      seconds: Math.round(this.#earlierSeconds + (now() - this.#startedAt) / 1000),
      ...(this.#builds.size > 1 && { builds: [...this.#builds] }),
      ...(this.#processors.size > 1 && { processors: [...this.#processors] }),
      ...(series !== undefined && {
        series: mapValues(series, points =>
          points.filter(({ y }) => Number.isFinite(y)).map(point => ({ ...rounded(point), x: point.x })),
        ),
      }),
    };
    const file = join(folder, `${this.#name}.json`);
    writeWhole(file, `${JSON.stringify(outcome, undefined, 1)}\n`);
    if (!this.#benchmark.addsSeeds) rmSync(this.#file, { force: true });
    this.say(`  written to ${file}`);
    return outcome;
  }

  /** With the arms of the outcome, if others were never measured: the command without them would measure those too. */
  #commandOf({ arms }: BenchResult['config']): string | undefined {
    const { command } = this.#options;
    const all = this.#benchmark.arms ?? [];
    const measured = Array.isArray(arms) ? all.filter(arm => arms.includes(arm)) : [];
    const isPart = measured.length > 0 && measured.length < all.length;
    return command !== undefined && isPart ? `${command} --arms ${measured.join(',')}` : command;
  }

  get #name(): string {
    return outcomeName({ bench: this.#benchmark.name, variant: this.#benchmark.variant });
  }
}

function readUnfinished(file: string): Unfinished | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return unfinished.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new RangeError(`Cannot read ${file}, the parts of an interrupted run. Remove it to start again.`, {
      cause: error,
    });
  }
}

/** Writes a file completely or not at all. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.unfinished`, text);
  renameSync(`${file}.unfinished`, file);
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (each: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, each]) => [name, change(each)]));

const SIGNIFICANT_DIGITS = 4;

/** Four significant digits; values that are not finite are left out, since JSON cannot hold them. */
const rounded = <T extends object>(numbers: T): T =>
  Object.fromEntries(
    Object.entries(numbers).flatMap(([name, value]) => {
      if (typeof value !== 'number') return [[name, value]];
      if (!Number.isFinite(value)) return [];
      return [[name, Number.isInteger(value) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS))]];
    }),
  ) as T;

const sorted = (numbers: readonly number[]): readonly number[] => [...numbers].sort((a, b) => a - b);

/** The value below which this share of the numbers lies; NaN of none. */
export const quantile = (numbers: readonly number[], share: number): number =>
  sorted(numbers)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))] ?? Number.NaN;

export function median(numbers: readonly number[]): number {
  const all = sorted(numbers);
  const at = (index: number) => all[index] ?? Number.NaN;
  return (at(Math.floor((all.length - 1) / 2)) + at(Math.ceil((all.length - 1) / 2))) / 2;
}
