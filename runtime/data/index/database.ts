// The database of the trajectory index, as a port: SQLite inside the index thread, or a PostgreSQL server. Queries are written once, in SQL
// that both understand; a dialect has the differences.

import type { FleetRun } from '../../protocol/daemon/fleet.ts';

export type SqlValue = number | string | null;

/** A database on a server does not answer, or may not be used any more. Its index must be opened again. */
export class DatabaseLost extends Error {
  override readonly name = 'DatabaseLost';
}

export interface Database {
  readonly dialect: Dialect;
  /** The number that `setVersion` stored; undefined before. */
  version(): Promise<number | undefined>;
  /** The last part of building the tables, within the change that builds them. */
  setVersion(version: number): Promise<void>;
  /** Removes all tables, outside of changes. */
  reset(): Promise<void>;
  /** Several statements without values. */
  script(sql: string): Promise<void>;
  run(sql: string, values?: readonly SqlValue[]): Promise<void>;
  /** Each row is the list of its values. A boolean is 0 or 1. */
  all(sql: string, values?: readonly SqlValue[]): Promise<SqlValue[][]>;
  /** Atomic. One at a time; queries meanwhile see a part of it. `changes` is the number of changes, which bounds transactions. */
  change<T>(change: () => Promise<T>, changes?: number): Promise<T>;
  /** The newest runs of the other workspaces in this database. Absent for a database of one workspace. */
  fleet?(): Promise<readonly FleetRun[]>;
  /** Makes all changes survive a restart, as far as the database does not do that by itself. */
  save(): Promise<void>;
  close(): Promise<void>;
}

export interface Dialect {
  /** The type of a primary key that numbers the rows in order of insertion. */
  readonly serial: string;
  /** The type of texts, which are compared by their bytes. */
  readonly text: string;
  /** Behind a table whose rows are found by their primary key only. */
  readonly keyed: string;
  /** Behind a column that is sorted: absent values are the smallest. */
  readonly nulls: Readonly<Record<'ASC' | 'DESC', string>>;
  /** Behind such a column of an SQL index. */
  readonly indexNulls: string;
  /** Queries for the numbers or texts of a JSON list, which is bound. */
  readonly numbers: string;
  readonly texts: string;
  /** The texts of a JSON list as rows of `place` and `wanted`. */
  readonly placedTexts: string;
  /** The pairs of numbers in a JSON list as rows of `place`, `one` and `other`. */
  readonly placedPairs: string;
  /** Behind a table: the SQL index that its query uses. */
  indexedBy(name: string): string;
}
