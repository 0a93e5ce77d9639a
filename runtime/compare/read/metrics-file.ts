// Reads a few columns of metrics.csv at about equal distances. The file has thousands of rows and two hundred columns, so it is read line by
// line.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isMissing } from '../../core/errors.ts';
import { fieldsIn } from '../../run/curves/csv.ts';

/** The values of one row, by column; columns without a number are absent. */
export type MetricsRow = Readonly<Record<string, number>>;

export interface MetricsFile {
  /** At about equal distances, the last row included. */
  readonly rows: readonly MetricsRow[];
  /** The last row at each of the wanted times, which are ascending. */
  readonly at: readonly (MetricsRow | undefined)[];
}

/** Undefined if there is no file. A row that was cut off, or that is no number where it should be one, is left out. */
export async function readMetrics(
  file: string,
  columns: readonly string[],
  { parts, seconds, times }: { parts: number; seconds: number; times: readonly number[] },
): Promise<MetricsFile | undefined> {
  const stream = createReadStream(file);
  const distance = seconds / parts;
  const rows: MetricsRow[] = [];
  const at: (MetricsRow | undefined)[] = [];
  let reader: RowReader | undefined;
  let next = 0;
  let last: { readonly line: string; readonly seconds: number } | undefined;
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (reader === undefined) {
        reader = rowReader(fieldsIn(line), columns);
        continue;
      }
      const now = reader.secondsOf(line);
      if (now === undefined) continue;
      const before = last;
      while (at.length < times.length && now > (times[at.length] ?? 0))
        at.push(before && reader.row(before.line));
      last = { line, seconds: now };
      if (now < next) continue;
      rows.push(reader.row(line));
      next = now + distance;
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    stream.destroy();
  }
  if (reader !== undefined && last !== undefined) {
    const row = reader.row(last.line);
    if (rows.at(-1)?.['seconds'] !== row['seconds']) rows.push(row);
    while (at.length < times.length) at.push(row);
  }
  return { rows, at };
}

interface RowReader {
  /** Undefined for a row that was cut off. */
  secondsOf(line: string): number | undefined;
  row(line: string): MetricsRow;
}

function rowReader(names: readonly string[], wanted: readonly string[]): RowReader {
  const columns = ['seconds', ...wanted].flatMap(name => {
    const index = names.indexOf(name);
    return index < 0 ? [] : [{ name, index }];
  });
  const place = names.indexOf('seconds');
  return {
    secondsOf(line) {
      const values = line.split(',');
      const value = place < 0 ? Number.NaN : Number(values[place] || Number.NaN);
      return values.length === names.length && Number.isFinite(value) ? value : undefined;
    },
    row(line) {
      const values = line.split(',');
      return Object.fromEntries(
        columns.flatMap(({ name, index }) => {
          const text = values[index] ?? '';
          return text !== '' && Number.isFinite(Number(text)) ? [[name, Number(text)] as const] : [];
        }),
      );
    },
  };
}
