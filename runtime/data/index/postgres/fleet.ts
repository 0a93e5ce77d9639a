// The runs of the other workspaces in a database: the SQL for them, and its rows.

import { type FleetRun, MAX_FLEET_RUNS } from '../../../protocol/daemon/fleet.ts';
import type { SqlValue } from '../database.ts';
import { codeOf, SCHEMA_VERSION } from '../tables.ts';
import { SHARED, WORKSPACES } from './shared-schema.ts';

/** The workspaces whose tables this version reads, without one of them, which is bound. */
export const OTHER_WORKSPACES = `SELECT name FROM ${WORKSPACES} WHERE version = ${SCHEMA_VERSION} AND name <> ? ORDER BY opened DESC`;

/** The name is part of the SQL. */
const NAME = new RegExp(`^${SHARED}_[0-9a-f]{24}$`);
/** Older ones are omitted: the SQL grows with them. */
const MAX_WORKSPACES = 200;

/** Undefined without workspaces. Groups before it looks at names: a workspace has many trajectories and few runs. */
export function fleetSql(workspaces: readonly string[]): string | undefined {
  const known = workspaces.filter(name => NAME.test(name)).slice(0, MAX_WORKSPACES);
  if (known.length === 0) return undefined;
  const evaluated = `purpose = ${codeOf('purpose', 'evaluate')}`;
  const outcome = (name: string) => `outcome = ${codeOf('outcome', name)}`;
  const counted = (condition: string) => `count(*) FILTER (WHERE ${evaluated} AND (${condition}))`;
  const each = known.map(
    name => `SELECT w.machine, w.folder, words.word, runs.trajectories, runs.evaluations, runs.successes, runs.started, runs.ended
      FROM (SELECT run, count(*) AS trajectories, ${counted(`${outcome('success')} OR ${outcome('failure')}`)} AS evaluations,
          ${counted(outcome('success'))} AS successes, min(started) AS started, max(ended) AS ended
        FROM ${name}.trajectories WHERE run IS NOT NULL GROUP BY run) AS runs
      JOIN ${name}.words AS words ON words.number = runs.run JOIN ${WORKSPACES} AS w ON w.name = '${name}'`,
  );
  return `${each.join(' UNION ALL ')} ORDER BY 8 DESC, 3 LIMIT ${MAX_FLEET_RUNS}`;
}

export function fleetRunOf(row: readonly SqlValue[]): FleetRun {
  const [machine, folder, run, ...numbers] = row;
  const [trajectories = 0, evaluations = 0, successes = 0, startedAt = 0, endedAt = 0] = numbers.map(Number);
  return {
    ...{ machine: String(machine), folder: String(folder), run: String(run) },
    ...{ trajectories, evaluations, successes, startedAt, endedAt },
  };
}
