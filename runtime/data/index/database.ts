// An SQLite database in memory, which is saved to a file and loaded from it as a whole. It does not depend on the tables.

import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import initSqlJs, {
  type Database as SqliteDatabase,
  type SqlJsStatic,
  type SqlValue,
  type Statement,
} from 'sql.js';
import { isMissing } from '../../core/errors.ts';
import { release } from '../../graph/release.ts';
import { OWNER_ONLY_FILE, UNFINISHED } from '../files/places.ts';

export type { SqlValue } from 'sql.js';

/** The file ends with a SHA-256 of the database. SQLite's own tools ignore it. */
const CHECKSUM_BYTES = 32;
/** A transaction keeps a copy of each page that it changes, and its end takes as long as some dozens of changes. */
const MAX_CHANGES_PER_TRANSACTION = 256;

export class Database {
  readonly #sqlite: SqliteDatabase;
  readonly #statements = new Map<string, Statement>();
  /** In the current transaction. */
  #changes = 0;

  private constructor(sqlite: SqliteDatabase) {
    this.#sqlite = sqlite;
    // The database is in memory already, so SQLite's page cache stays small.
    sqlite.exec(`
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384; PRAGMA analysis_limit = 1000`);
    this.#begin();
  }

  static async empty(): Promise<Database> {
    const { Database: Sqlite } = await sqlJs();
    return new Database(new Sqlite());
  }

  /** Undefined for a missing or damaged file. */
  static async load(path: string): Promise<Database | undefined> {
    const { Database: Sqlite } = await sqlJs();
    let file: Uint8Array;
    try {
      file = readFileSync(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const bytes = file.subarray(0, -CHECKSUM_BYTES);
    if (file.length <= CHECKSUM_BYTES || !checksumOf(bytes).equals(file.subarray(-CHECKSUM_BYTES)))
      return undefined;
    return new Database(new Sqlite(bytes));
  }

  /** Not synced: after a power failure the checksum of an incomplete file does not match, and the index is rebuilt. */
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

  /** Each row is the list of its values. */
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

  /** Atomic. `changes` is the number of changes, which bounds the transaction. */
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
    if (this.#changes < MAX_CHANGES_PER_TRANSACTION) return;
    this.run('COMMIT');
    this.#begin();
  }

  close(): void {
    this.#sqlite.close();
  }

  #statement(sql: string): Statement {
    const prepared = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #begin(): void {
    this.run('BEGIN');
    this.#changes = 0;
  }
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

const checksumOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
