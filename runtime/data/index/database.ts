// One SQLite database in memory, that can be saved as a file and loaded again: whole, or not at all. Knows no tables.

import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import initSqlJs, { type Database as Sqlite, type SqlJsStatic, type SqlValue, type Statement } from 'sql.js';
import { isMissing } from '../../core/errors.ts';
import { release } from '../../graph/release.ts';
import { UNFINISHED } from '../files/places.ts';

export type { SqlValue } from 'sql.js';

/** Follows the database in its file. SQLite's own tools do not mind. */
const SUM_LENGTH = 32;
/** That one transaction takes. Each page that it changes stays in memory twice until it ends, and to end it takes as long as some dozens of changes. */
const MOST_CHANGES = 256;

export class Database {
  readonly #sqlite: Sqlite;
  readonly #statements = new Map<string, Statement>();
  /** Of the present transaction. */
  #changes = 0;

  private constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#tune();
  }

  static async empty(): Promise<Database> {
    const { Database: Made } = await loaded();
    return new Database(new Made());
  }

  /** Undefined where there is no such file, or one that is damaged. */
  static async load(path: string): Promise<Database | undefined> {
    const { Database: Made } = await loaded();
    let file: Uint8Array;
    try {
      file = readFileSync(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const bytes = file.subarray(0, -SUM_LENGTH);
    if (file.length <= SUM_LENGTH || !sumOf(bytes).equals(file.subarray(-SUM_LENGTH))) return undefined;
    return new Database(new Made(bytes));
  }

  /** Not synced: what a loss of power leaves of it does not fit its sum, and is made again. */
  save(path: string): void {
    this.run('COMMIT');
    let bytes: Uint8Array;
    try {
      bytes = this.#sqlite.export();
    } finally {
      this.#begin();
    }
    try {
      write(bytes, `${path}${UNFINISHED}`);
    } finally {
      release(bytes);
    }
    renameSync(`${path}${UNFINISHED}`, path);
  }

  script(sql: string): void {
    this.#sqlite.exec(sql);
  }

  run(sql: string, values: readonly SqlValue[] = []): void {
    this.#statement(sql).run([...values]);
  }

  /** Every row, as its values in their order. */
  all(sql: string, values: readonly SqlValue[] = []): SqlValue[][] {
    const statement = this.#statement(sql);
    try {
      statement.bind([...values]);
      const rows: SqlValue[][] = [];
      while (statement.step()) rows.push(statement.get());
      return rows;
    } finally {
      statement.reset();
    }
  }

  /** All of it, or nothing. `changes` is how many it is, as a transaction takes only so many. */
  change(change: () => void, changes = 1): void {
    this.run('SAVEPOINT change');
    try {
      change();
    } catch (error) {
      this.run('ROLLBACK TO change');
      throw error;
    } finally {
      this.run('RELEASE change');
    }
    this.#changes += changes;
    if (this.#changes < MOST_CHANGES) return;
    this.run('COMMIT');
    this.#begin();
  }

  close(): void {
    this.#sqlite.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#sqlite.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #begin(): void {
    this.run('BEGIN');
    this.#changes = 0;
  }

  /** What it reads most is held twice, as all of it lies in memory already: not more than makes it quick. */
  #tune(): void {
    this.#sqlite.exec(`
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384; PRAGMA analysis_limit = 1000`);
    this.#begin();
  }
}

let module: Promise<SqlJsStatic> | undefined;
const loaded = (): Promise<SqlJsStatic> => {
  module ??= initSqlJs();
  return module;
};

function write(bytes: Uint8Array, path: string): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, bytes);
    writeFileSync(file, sumOf(bytes));
  } finally {
    closeSync(file);
  }
}

const sumOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
