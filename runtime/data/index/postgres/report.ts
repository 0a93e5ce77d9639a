// Reports a PostgreSQL server for `dartboard doctor`.

import { PostgresConnection } from './connection.ts';
import { TRAJECTORIES, WORKSPACES } from './shared-schema.ts';

export interface PostgresReport {
  readonly version: string;
  readonly roundTripMs: number;
  readonly encoding: string;
  /** True if the user may create the schemas of workspaces. */
  readonly mayCreate: boolean;
  readonly workspaces: number;
  /** Of all workspaces. */
  readonly trajectories: number;
}

/** Rejects if the server cannot be used. `now` is a time in milliseconds. */
export async function postgresReport(url: string, now: () => number): Promise<PostgresReport> {
  const connection = await PostgresConnection.open(url);
  try {
    const from = now();
    const [[version, encoding, mayCreate, table] = []] = await connection.all(
      `SELECT current_setting('server_version'), current_setting('server_encoding'),
        has_database_privilege(current_database(), 'CREATE'), to_regclass(?)::text`,
      [TRAJECTORIES],
    );
    const roundTripMs = now() - from;
    const [[workspaces = 0, trajectories = 0] = []] =
      typeof table === 'string'
        ? await connection.all(
            `SELECT (SELECT count(*) FROM ${WORKSPACES}), (SELECT count(*) FROM ${TRAJECTORIES})`,
          )
        : [];
    return {
      ...{ version: String(version), roundTripMs, encoding: String(encoding), mayCreate: mayCreate === 1 },
      ...{ workspaces: Number(workspaces), trajectories: Number(trajectories) },
    };
  } finally {
    await connection.close();
  }
}
