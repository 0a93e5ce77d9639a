// The index as an SQLite database in memory, which is saved to a file and loaded from it as a whole. It does not depend on the tables.

import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import initSqlJs, { type Database as MemoryDatabase, type SqlJsStatic, type Statement } from 'sql.js';
import { isMissing, messageOf, sentenceOf } from '../../core/errors.ts';
import { release } from '../../graph/release.ts';
import { OWNER_ONLY_FILE, UNFINISHED } from '../files/places.ts';
import { renameWithRetry } from '../files/rename-retry.ts';
import { type Database, DatabaseLost, type Dialect, type SqlValue } from './database.ts';

/** The file ends with a SHA-256 of the database. SQLite's own tools ignore it. */
const CHECKSUM_BYTES = 32;
/** SQLite's messages. */
const DAMAGED = /malformed|file is not a database/;
/** A transaction keeps a copy of each page that it changes, and its end takes as long as some dozens of changes. */
const MAX_CHANGES_PER_TRANSACTION = 256;

export const SQLITE: Dialect = {
  serial: 'INTEGER PRIMARY KEY',
  text: 'TEXT',
  keyed: 'WITHOUT ROWID',
  nulls: { ASC: '', DESC: '' },
  indexNulls: '',
  numbers: 'SELECT value FROM json_each(?)',
  texts: 'SELECT value FROM json_each(?)',
  placedTexts: '(SELECT key AS place, value AS wanted FROM json_each(?))',
  placedPairs: `(SELECT key AS place, json_extract(value, '$[0]') AS one, json_extract(value, '$[1]') AS other FROM json_each(?))`,
  indexedBy: name => `INDEXED BY ${name}`,
};

export class SqliteDatabase implements Database {
  readonly dialect = SQLITE;
  readonly #path: string;
  readonly #library: SqlJsStatic;
  #sqlite: MemoryDatabase;
  readonly #statements = new Map<string, Statement>();
  /** In the current transaction. */
  #changes = 0;

  private constructor(path: string, library: SqlJsStatic, sqlite: MemoryDatabase) {
    this.#path = path;
    this.#library = library;
    this.#sqlite = sqlite;
    this.#prepare();
  }

  /** The saved one; an empty one if the file is missing or damaged. */
  static async open(path: string): Promise<SqliteDatabase> {
    const library = await sqlJs();
    const saved = savedDatabase(path, library);
    return new SqliteDatabase(path, library, saved ?? new library.Database());
  }

  async version(): Promise<number | undefined> {
    const [[version] = []] = await this.all('PRAGMA user_version');
    // SQLite's number of a new database.
    return version === 0 ? undefined : Number(version);
  }

  async setVersion(version: number): Promise<void> {
    await this.script(`PRAGMA user_version = ${version}`);
  }

  async reset(): Promise<void> {
    await this.close();
    this.#sqlite = new this.#library.Database();
    this.#prepare();
  }

  /** Not synced: after a power failure the checksum of an incomplete file does not match, and the index is rebuilt. */
  async save(): Promise<void> {
    this.#run('COMMIT');
    let bytes: Uint8Array;
    try {
      bytes = this.#sqlite.export();
    } finally {
      this.#begin();
    }
    const unfinished = `${this.#path}${UNFINISHED}`;
    try {
      write(bytes, unfinished);
      await renameWithRetry(unfinished, this.#path);
    } catch (error) {
      discard(unfinished);
      throw new Error(
        `The index '${this.#path}' cannot be saved: ${sentenceOf(error)} The next start reads what it lacks from the trajectories.`,
        { cause: error },
      );
    } finally {
      release(bytes);
    }
  }

  async script(sql: string): Promise<void> {
    this.#unlessDamaged(() => this.#sqlite.exec(sql));
  }

  async run(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    this.#run(sql, values);
  }

  async all(sql: string, values: readonly SqlValue[] = []): Promise<SqlValue[][]> {
    return this.#unlessDamaged(() => {
      const statement = this.#statement(sql);
      try {
        statement.bind([...values]);
        const rows: SqlValue[][] = [];
        // No column of the index has bytes.
        while (statement.step()) rows.push(statement.get() as SqlValue[]);
        return rows;
      } finally {
        statement.reset();
      }
    });
  }

  async change<T>(change: () => Promise<T>, changes = 1): Promise<T> {
    this.#run('SAVEPOINT change');
    let result: T;
    try {
      result = await change();
    } catch (error) {
      this.#run('ROLLBACK TO change');
      throw error;
    } finally {
      this.#run('RELEASE change');
    }
    this.#changes += changes;
    if (this.#changes >= MAX_CHANGES_PER_TRANSACTION) {
      this.#run('COMMIT');
      this.#begin();
    }
    return result;
  }

  async close(): Promise<void> {
    this.#sqlite.close();
    this.#statements.clear();
  }

  #run(sql: string, values: readonly SqlValue[] = []): void {
    this.#unlessDamaged(() => this.#statement(sql).run([...values]));
  }

  /** The check at the opening does not find every damage. Without its file, the next opening builds the index again. */
  #unlessDamaged<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!DAMAGED.test(messageOf(error))) throw error;
      rmSync(this.#path, { force: true });
      throw new DatabaseLost(
        `The index '${this.#path}' is damaged. It is built again from the trajectories.`,
        {
          cause: error,
        },
      );
    }
  }

  #statement(sql: string): Statement {
    const prepared = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #prepare(): void {
    // The database is in memory already, so SQLite's page cache stays small.
    this.#sqlite.exec(`
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384; PRAGMA analysis_limit = 1000`);
    this.#begin();
  }

  #begin(): void {
    this.#run('BEGIN');
    this.#changes = 0;
  }
}

/** Undefined for a missing or damaged file. */
function savedBytes(path: string): Uint8Array | undefined {
  let file: Uint8Array;
  try {
    file = readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const bytes = file.subarray(0, -CHECKSUM_BYTES);
  const isWhole = file.length > CHECKSUM_BYTES && checksumOf(bytes).equals(file.subarray(-CHECKSUM_BYTES));
  return isWhole ? bytes : undefined;
}

/** Undefined for a missing or damaged file. The checksum finds accidents; whoever makes a damaged database can compute one. */
function savedDatabase(path: string, library: SqlJsStatic): MemoryDatabase | undefined {
  const bytes = savedBytes(path);
  if (bytes === undefined) return undefined;
  const database = new library.Database(bytes);
  try {
    const [result] = database.exec('PRAGMA quick_check(1)');
    if (result?.values[0]?.[0] === 'ok') return database;
  } catch {
    // It is no database, or its tables cannot be read.
  }
  database.close();
  return undefined;
}

let module: Promise<SqlJsStatic> | undefined;
const sqlJs = (): Promise<SqlJsStatic> => {
  module ??= initSqlJs();
  return module;
};

function write(bytes: Uint8Array, path: string): void {
  const file = openSync(path, 'w', OWNER_ONLY_FILE);
  try {
    writeFileSync(file, bytes);
    writeFileSync(file, checksumOf(bytes));
  } finally {
    closeSync(file);
  }
}

/** Removes a partial file, which takes space on a full disk. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The caller reports the error of the save.
  }
}

const checksumOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
