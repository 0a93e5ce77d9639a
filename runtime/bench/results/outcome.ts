// The outcome of a benchmark as a JSON file: its figures, and what a reader needs to judge them or to measure them again.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const point = z.strictObject({
  /** A number for curves, a name for bars. */
  x: z.union([z.number(), z.string()]),
  y: z.number(),
  low: z.number().optional(),
  high: z.number().optional(),
});

/** The counts behind a figure and its 95 % interval. */
const certainty = z.strictObject({
  successes: z.number().optional(),
  trials: z.number().optional(),
  low: z.number().optional(),
  high: z.number().optional(),
});

const machine = z
  .strictObject({ processor: z.string(), cores: z.int(), memoryMb: z.number(), os: z.string() })
  .partial();

const outcome = z.strictObject({
  bench: z.string(),
  /** The command-line option that selects another way to measure, without its dashes. */
  variant: z.string().optional(),
  figures: z.record(z.string(), z.number()),
  /** Figures that were measured and are no number, such as the steps to a success that was never reached. */
  withoutNumber: z.array(z.string()).optional(),
  /** The arguments of the benchmark that measured it; absent in older outcomes. */
  command: z.string().optional(),
  certainty: z.record(z.string(), certainty).optional(),
  config: z.record(z.string(), z.unknown()),
  versions: z.record(z.string(), z.string()),
  seeds: z.number(),
  machine: machine.optional(),
  /** When the benchmark ended, in ISO 8601. */
  date: z.string().optional(),
  /** Duration over all runs, interrupted ones included. */
  seconds: z.number().optional(),
  /** Builds and processors that measured the parts, if there were several. */
  builds: z.array(z.string()).optional(),
  processors: z.array(z.string()).optional(),
  /** Curves and bars, keyed by 'picture/curve'. */
  series: z.record(z.string(), z.array(point)).optional(),
});

export type BenchOutcome = z.infer<typeof outcome>;
export type SeriesPoint = Readonly<z.infer<typeof point>>;
export type BenchSeries = Readonly<Record<string, readonly SeriesPoint[]>>;
export type Certainty = Readonly<z.infer<typeof certainty>>;
export type MachineInfo = Readonly<z.infer<typeof machine>>;

/** Remarks by benchmark and figure, such as the reason for a missed bar. */
const notes = z.record(z.string(), z.record(z.string(), z.string()));
export type BenchNotes = Readonly<z.infer<typeof notes>>;

/** NaN for what is no number, and so meets no bar. */
export const figuresOf = ({
  figures,
  withoutNumber = [],
}: BenchOutcome): Readonly<Record<string, number>> => ({
  ...figures,
  ...Object.fromEntries(withoutNumber.map(name => [name, Number.NaN])),
});

/** The file name of an outcome, without its extension. */
export const outcomeName = ({ bench, variant }: Pick<BenchOutcome, 'bench' | 'variant'>): string =>
  variant === undefined ? bench : `${bench}-${variant}`;

const NOTES = 'notes.json';

/** Reads every outcome in a folder, and its notes. A file that does not match the schema is an error that names it. */
export async function readOutcomes(
  folder: string,
): Promise<{ readonly outcomes: readonly BenchOutcome[]; readonly notes: BenchNotes }> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.json')).sort();
  const outcomes: BenchOutcome[] = [];
  for (const file of files.filter(each => each !== NOTES)) {
    const found = await readJson(outcome, join(folder, file));
    const expected = `${outcomeName(found)}.json`;
    if (file !== expected)
      throw new RangeError(
        `${join(folder, file)} holds the outcome of ${expected}. Rename it to ${expected}.`,
      );
    outcomes.push(found);
  }
  return { outcomes, notes: files.includes(NOTES) ? await readJson(notes, join(folder, NOTES)) : {} };
}

async function readJson<T>(schema: z.ZodType<T>, file: string): Promise<T> {
  const text = await readFile(file, 'utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new RangeError(`Cannot read ${file}: ${why}\nRun the benchmark again, or remove the file.`, {
      cause: error,
    });
  }
}
