// A growing CSV file (RFC 4180). Each row is one write, so that a killed process leaves complete rows. A part of a row that a failed write
// left is removed. A new column is appended to all rows, which rewrites the file.

import { writeFile } from 'node:fs/promises';
import { type Disk, type DiskFile, nodeDisk } from '../../core/disk.ts';
import { textIn } from '../../core/existing-file.ts';
import { OWNER_ONLY_FILE } from '../../data/files/places.ts';
import { RecordAppender } from '../../data/files/record-appender.ts';
import { renameWithRetry } from '../../data/files/rename-retry.ts';

export type CsvRow = Readonly<Record<string, string | number | undefined>>;

export class CsvFile {
  readonly #file: string;
  readonly #disk: Disk;
  readonly #appender = new RecordAppender();
  #columns: readonly string[];
  #rows: number;

  private constructor(file: string, columns: readonly string[], rows: number, disk: Disk) {
    this.#file = file;
    this.#disk = disk;
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Continues an existing file, without a last row that was cut off, and without rows after the first `maxRows`. */
  static async open(
    file: string,
    columns: readonly string[],
    maxRows = Number.POSITIVE_INFINITY,
    disk: Disk = nodeDisk,
  ): Promise<CsvFile> {
    const text = (await textIn(file)) ?? '';
    const [head, ...rows] = text
      .split('\n')
      .slice(0, -1)
      .slice(0, 1 + maxRows);
    const whole = head === undefined ? '' : [head, ...rows].map(row => `${row}\n`).join('');
    if (whole !== text) await replaced(file, whole);
    const csv = new CsvFile(file, head === undefined ? [] : fieldsIn(head), rows.length, disk);
    await csv.#widen(columns);
    return csv;
  }

  /** The number of rows, without the header. */
  get rows(): number {
    return this.#rows;
  }

  /** Resolves when it is written. Missing columns stay empty. */
  async append(row: CsvRow): Promise<void> {
    await this.#widen(Object.keys(row));
    const text = line(this.#columns.map(column => row[column] ?? ''));
    await this.#opened(file => this.#appender.append(file, Buffer.from(text)));
    this.#rows += 1;
  }

  async #opened(work: (file: DiskFile) => Promise<void>): Promise<void> {
    const file = await this.#disk.open(this.#file, 'a+', OWNER_ONLY_FILE);
    try {
      await work(file);
    } finally {
      await file.close();
    }
  }

  async #widen(columns: readonly string[]): Promise<void> {
    const more = columns.filter(column => !this.#columns.includes(column));
    if (more.length === 0) return;
    await this.#opened(file => this.#appender.repair(file));
    const [, ...rows] = ((await textIn(this.#file)) ?? '').split('\n').slice(0, -1);
    const wider = [...this.#columns, ...more];
    const empty = ','.repeat(this.#columns.length === 0 ? more.length - 1 : more.length);
    await replaced(this.#file, line(wider) + rows.map(row => `${row}${empty}\n`).join(''));
    this.#columns = wider;
  }
}

/** A complete file. Missing columns of a row stay empty. */
export const csvText = (columns: readonly string[], rows: readonly CsvRow[]): string =>
  [line(columns), ...rows.map(row => line(columns.map(column => row[column] ?? '')))].join('');

const line = (values: readonly (string | number)[]): string => `${values.map(field).join(',')}\n`;

/** Line breaks become spaces, since this reader splits at line breaks. */
function field(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = value.replaceAll(/[\r\n]+/g, ' ');
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows of a file, by column, as text. A last row that was cut off is left out. */
export async function readCsv(file: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const [head, ...rows] = ((await textIn(file)) ?? '').split('\n').slice(0, -1).map(fieldsIn);
  return rows.map(row => Object.fromEntries(row.map((value, index) => [head?.[index] ?? '', value])));
}

export const fieldsIn = (head: string): readonly string[] =>
  [...head.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );

async function replaced(file: string, text: string): Promise<void> {
  await writeFile(`${file}.unfinished`, text, { flush: true, mode: OWNER_ONLY_FILE });
  await renameWithRetry(`${file}.unfinished`, file);
}
