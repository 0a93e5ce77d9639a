// The index of one workspace on a PostgreSQL server, in a schema of its own: queries need no condition on the workspace, and daemons never
// wait for one another.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { FleetRun } from '../../../protocol/daemon/fleet.ts';
import type { Database, SqlValue } from '../database.ts';
import { PostgresConnection } from './connection.ts';
import { POSTGRES } from './dialect.ts';
import { fleetRunOf, fleetSql, OTHER_WORKSPACES } from './fleet.ts';
import { CREATE_SHARED, SHARED, WORKSPACES } from './shared-schema.ts';

interface Workspace {
  /** Letters and digits. */
  readonly id: string;
  /** The folder of the runs, for people. */
  readonly folder: string;
}

export class PostgresDatabase implements Database {
  readonly dialect = POSTGRES;
  readonly #connection: PostgresConnection;
  /** Also the name of the workspace in the table of workspaces. */
  readonly #schema: string;
  /** Names this opening. */
  readonly #writer = randomBytes(12).toString('hex');

  private constructor(connection: PostgresConnection, schema: string) {
    this.#connection = connection;
    this.#schema = schema;
  }

  /** From now on, earlier openings of this workspace cannot change it: their process may still be alive, and not know that it was replaced. */
  static async open(url: string, { id, folder }: Workspace): Promise<PostgresDatabase> {
    const connection = await PostgresConnection.open(url);
    const database = new PostgresDatabase(connection, `${SHARED}_${id}`);
    try {
      await database.#prepare(folder);
    } catch (error) {
      throw connection.lose(error);
    }
    return database;
  }

  async version(): Promise<number | undefined> {
    const [[version] = []] = await this.all(`SELECT version FROM ${WORKSPACES} WHERE name = ?`, [
      this.#schema,
    ]);
    return typeof version === 'number' ? version : undefined;
  }

  async setVersion(version: number): Promise<void> {
    await this.run(`UPDATE ${WORKSPACES} SET version = ? WHERE name = ?`, [version, this.#schema]);
  }

  async reset(): Promise<void> {
    await this.change(async () => {
      await this.run(`UPDATE ${WORKSPACES} SET version = NULL WHERE name = ?`, [this.#schema]);
      await this.script(`DROP SCHEMA IF EXISTS ${this.#schema} CASCADE; CREATE SCHEMA ${this.#schema}`);
    });
  }

  script(sql: string): Promise<void> {
    return this.#connection.script(sql);
  }

  async run(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    await this.all(sql, values);
  }

  all(sql: string, values: readonly SqlValue[] = []): Promise<SqlValue[][]> {
    return this.#connection.all(sql, values);
  }

  /** A failed change ends the connection. The next opening finds in the files and journals what it would have changed. */
  async change<T>(change: () => Promise<T>): Promise<T> {
    try {
      await this.script('BEGIN');
      const [writer] = await this.all(
        `SELECT 1 FROM ${WORKSPACES} WHERE name = ? AND writer = ? FOR UPDATE`,
        [this.#schema, this.#writer],
      );
      if (writer === undefined)
        throw new Error(
          `another process has opened the index '${this.#schema}'. Stop the other daemon of this workspace.`,
        );
      const result = await change();
      await this.script('COMMIT');
      return result;
    } catch (error) {
      throw this.#connection.lose(error);
    }
  }

  async fleet(): Promise<readonly FleetRun[]> {
    const names = await this.all(OTHER_WORKSPACES, [this.#schema]);
    const sql = fleetSql(names.map(([name]) => String(name)));
    return sql === undefined ? [] : (await this.all(sql)).map(fleetRunOf);
  }

  /** Nothing to do: the end of a change stores it. */
  async save(): Promise<void> {}

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #prepare(folder: string): Promise<void> {
    const [[encoding] = []] = await this.all('SHOW server_encoding');
    if (encoding !== 'UTF8')
      throw new Error(
        `the database has the encoding ${encoding}, which cannot store all texts; create one with ENCODING 'UTF8'`,
      );
    await this.script(CREATE_SHARED);
    // Waits for a change that an earlier opening has not ended.
    await this.run(
      `INSERT INTO ${WORKSPACES} VALUES (?, ?, ?, now(), ?, NULL) ON CONFLICT (name) DO UPDATE SET
        machine = excluded.machine, folder = excluded.folder, opened = excluded.opened, writer = excluded.writer`,
      [this.#schema, hostname(), folder, this.#writer],
    );
    await this.script(`SET search_path TO ${this.#schema}`);
  }
}
