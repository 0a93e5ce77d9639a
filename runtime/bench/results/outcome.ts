// What a benchmark came to, kept as a file: its figures, and all that somebody needs to judge them or to measure them again. What is
// not known of an old one is absent.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const point = z.strictObject({
  /** A text where what is compared has no order of its own. */
  x: z.union([z.number(), z.string()]),
  y: z.number(),
  low: z.number().optional(),
  high: z.number().optional(),
});

/** How sure a figure is: what it was counted from, and its 95 % interval. */
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
  /** Another way of measuring the same, by the option that asks for it. */
  variant: z.string().optional(),
  figures: z.record(z.string(), z.number()),
  certainty: z.record(z.string(), certainty).optional(),
  config: z.record(z.string(), z.unknown()),
  versions: z.record(z.string(), z.string()),
  seeds: z.number(),
  machine: machine.optional(),
  /** When it ended, as ISO 8601 says it. */
  date: z.string().optional(),
  /** What it took, over all the runs that it was spread over. */
  seconds: z.number().optional(),
  /** The programs that measured its parts, where there were several: it went on after the code had changed. */
  builds: z.array(z.string()).optional(),
  /** And their processors, where those were different ones. */
  processors: z.array(z.string()).optional(),
  /** Curves and bars by the name 'picture/curve'. */
  series: z.record(z.string(), z.array(point)).optional(),
});

export type Outcome = z.infer<typeof outcome>;
export type Point = Readonly<z.infer<typeof point>>;
export type Series = Readonly<Record<string, readonly Point[]>>;
export type Certainty = Readonly<z.infer<typeof certainty>>;
export type Machine = Readonly<z.infer<typeof machine>>;

/** For each benchmark and figure, why it came to no more. */
const notes = z.record(z.string(), z.record(z.string(), z.string()));

export type Notes = Readonly<z.infer<typeof notes>>;

/** What its file is called, without an ending. */
export const nameOf = ({ bench, variant }: Pick<Outcome, 'bench' | 'variant'>): string =>
  variant === undefined ? bench : `${bench}-${variant}`;

const NOTES = 'notes.json';

/** All outcomes in a folder, with the notes beside them. What is no outcome is an error that names the file. */
export async function outcomesIn(
  folder: string,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly notes: Notes }> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.json')).sort();
  const outcomes: Outcome[] = [];
  for (const file of files.filter(each => each !== NOTES)) {
    const read = parsed(outcome, await readFile(join(folder, file), 'utf8'), join(folder, file));
    if (file !== `${nameOf(read)}.json`)
      throw new RangeError(`${join(folder, file)} is of ${nameOf(read)}: name it ${nameOf(read)}.json.`);
    outcomes.push(read);
  }
  const noted = files.includes(NOTES)
    ? parsed(notes, await readFile(join(folder, NOTES), 'utf8'), join(folder, NOTES))
    : {};
  return { outcomes, notes: noted };
}

function parsed<T>(schema: z.ZodType<T>, text: string, file: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new RangeError(`${file} cannot be read: ${why}\nMeasure it again, or mend or remove the file.`, {
      cause: error,
    });
  }
}
