// A connection to a PostgreSQL server. Every statement has a deadline. After a lost connection every call fails at once.

import type { Client } from 'pg';
import { reasonOf } from '../../../core/finding.ts';
import { DatabaseLost, type SqlValue } from '../database.ts';
import { numbered, original, storable } from './dialect.ts';

/** All are below the deadline of a call to the index. The server ends a statement before the client loses patience. */
const DEADLINES = { connectMs: 10_000, statementMs: 50_000, answerMs: 55_000 };
/** A transaction of a daemon that stopped working keeps nobody waiting. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

/** Commits need not reach the disk: after a crash of the server, the daemon finds lost changes in the files again. */
const SETTINGS = `
SET synchronous_commit TO off; SET jit TO off; SET idle_in_transaction_session_timeout TO ${IDLE_TRANSACTION_TIMEOUT_MS};
SET tcp_keepalives_idle TO 30; SET tcp_keepalives_interval TO 10`;

export class PostgresConnection {
  /** For messages: without user and password. */
  readonly address: string;
  readonly #client: Client;
  #lost: DatabaseLost | undefined;
  /** Never rejects. */
  #previous: Promise<unknown> = Promise.resolve();

  private constructor(client: Client) {
    this.#client = client;
    this.address = `${client.host}:${client.port}/${client.database ?? ''}`;
    client.on('error', error => this.lose(error));
    client.on('end', () => this.lose(new Error('the connection ended')));
  }

  /** A missing password is that of the variable PGPASSWORD, or of the file .pgpass. */
  static async open(url: string, deadlines = DEADLINES): Promise<PostgresConnection> {
    // Loaded here, because most workspaces need no PostgreSQL.
    const { Client } = await import('pg');
    const client = new Client({
      ...{ connectionString: url, application_name: 'dartboard', keepAlive: true },
      connectionTimeoutMillis: deadlines.connectMs,
      statement_timeout: deadlines.statementMs,
      query_timeout: deadlines.answerMs,
      types: { getTypeParser: type => PARSERS.get(type) ?? original },
    });
    const connection = new PostgresConnection(client);
    try {
      await client.connect();
      await connection.script(SETTINGS);
      return connection;
    } catch (error) {
      throw connection.lose(error);
    }
  }

  /** Several statements without values. */
  async script(sql: string): Promise<void> {
    await this.#inOrder(() => this.#client.query(sql));
  }

  /** `sql` has a question mark for each value. */
  async all(sql: string, values: readonly SqlValue[] = []): Promise<SqlValue[][]> {
    const { rows } = await this.#inOrder(() =>
      this.#client.query<SqlValue[]>({
        text: numbered(sql),
        rowMode: 'array',
        values: values.map(value => (typeof value === 'string' ? storable(value) : value)),
      }),
    );
    return rows;
  }

  /** Ends the connection, and returns the error of all further calls. */
  lose(error: unknown): DatabaseLost {
    if (this.#lost !== undefined) return this.#lost;
    this.#lost = new DatabaseLost(
      `The index in PostgreSQL at ${this.address} cannot be used: ${reasonOf(error).replace(/\.$/, '')}. Start or correct the server, or correct 'index.url' in dartboard.json. A running daemon connects again by itself.`,
      { cause: error },
    );
    void this.close();
    return this.#lost;
  }

  async close(): Promise<void> {
    // The connection may have ended.
    await this.#client.end().catch(() => undefined);
  }

  /** The client takes one statement at a time. */
  #inOrder<T>(send: () => Promise<T>): Promise<T> {
    const answer = this.#previous.then(() => this.#send(send));
    // Its caller gets the error.
    this.#previous = answer.catch(() => undefined);
    return answer;
  }

  /** The server reports an error in a statement over a connection that works. All other errors mean that it does not. */
  async #send<T>(send: () => Promise<T>): Promise<T> {
    if (this.#lost !== undefined) throw this.#lost;
    try {
      return await send();
    } catch (error) {
      if (isOfStatement(error)) throw error;
      throw this.lose(error);
    }
  }
}

/** More severe ones end the connection. */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR';

const TRUE = 't';
/** By the numbers that PostgreSQL has for its types: bool, int8, int2, int4, float4, float8 and numeric. */
const PARSERS = new Map<number, (text: string) => SqlValue>([
  [16, text => Number(text === TRUE)],
  ...[20, 21, 23, 700, 701, 1700].map(type => [type, Number] as const),
]);
