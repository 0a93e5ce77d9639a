// A table on disk that grows by rows, as CSV (RFC 4180): a row is written in one piece, so that whoever is killed leaves whole ones.
// A column that turns up late is put at the end of all rows; that alone writes the file anew.

import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { isMissing } from '../../core/errors.ts';
import { renamed } from '../../data/files/rename-retry.ts';

export type Row = Readonly<Record<string, string | number | undefined>>;

export class CsvFile {
  readonly #file: string;
  #columns: readonly string[];
  #rows: number;

  private constructor(file: string, columns: readonly string[], rows: number) {
    this.#file = file;
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Goes on with what is there, but for a last row that was cut off, and for rows beyond the first `most`. */
  static async open(
    file: string,
    columns: readonly string[],
    most = Number.POSITIVE_INFINITY,
  ): Promise<CsvFile> {
    const text = (await textOf(file)) ?? '';
    const [head, ...rows] = text
      .split('\n')
      .slice(0, -1)
      .slice(0, 1 + most);
    const whole = head === undefined ? '' : [head, ...rows].map(row => `${row}\n`).join('');
    if (whole !== text) await replaced(file, whole);
    const csv = new CsvFile(file, head === undefined ? [] : fieldsIn(head), rows.length);
    await csv.#widen(columns);
    return csv;
  }

  /** Rows that are there, without the head. */
  get rows(): number {
    return this.#rows;
  }

  /** Resolves once it is written. What a row lacks stays empty. */
  async append(row: Row): Promise<void> {
    await this.#widen(Object.keys(row));
    await appendFile(this.#file, line(this.#columns.map(column => row[column] ?? '')), { flush: true });
    this.#rows += 1;
  }

  async #widen(columns: readonly string[]): Promise<void> {
    const more = columns.filter(column => !this.#columns.includes(column));
    if (more.length === 0) return;
    const [, ...rows] = ((await textOf(this.#file)) ?? '').split('\n').slice(0, -1);
    const wider = [...this.#columns, ...more];
    const empty = ','.repeat(this.#columns.length === 0 ? more.length - 1 : more.length);
    await replaced(this.#file, line(wider) + rows.map(row => `${row}${empty}\n`).join(''));
    this.#columns = wider;
  }
}

const line = (values: readonly (string | number)[]): string => `${values.map(field).join(',')}\n`;

/** A line break would cut a row in two for readers that go by lines, as we do: it becomes a blank. */
function field(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = value.replaceAll(/[\r\n]+/g, ' ');
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows of a file, by column, as text. A last row that was cut off is left out. */
export async function readCsv(file: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const [head, ...rows] = ((await textOf(file)) ?? '').split('\n').slice(0, -1).map(fieldsIn);
  return rows.map(row => Object.fromEntries(row.map((value, index) => [head?.[index] ?? '', value])));
}

const fieldsIn = (head: string): readonly string[] =>
  [...head.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function replaced(file: string, text: string): Promise<void> {
  await writeFile(`${file}.unfinished`, text, { flush: true });
  await renamed(`${file}.unfinished`, file);
}
