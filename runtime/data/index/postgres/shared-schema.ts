// The schema that all workspaces of a database share: the table of workspaces, and the trajectories of all of them, with names instead of
// numbers, for people and programs that query the database in SQL.

import { CODES, SCHEMA_VERSION } from '../tables.ts';

export const SHARED = 'dartboard';
export const WORKSPACES = `${SHARED}.workspaces`;
/** The view. */
export const TRAJECTORIES = `${SHARED}.trajectories`;
/** Reads the schemas of all workspaces, one after another. A view alone would depend on each of them, and block their rebuilding. */
const READER = `${SHARED}.trajectories_of_schema_${SCHEMA_VERSION}`;

/** Held while the schema is created: two daemons that create it at once would fail. */
const CREATION_LOCK = 7_236_541;

const decoded = (column: keyof typeof CODES): string =>
  `(ARRAY[${CODES[column].map(value => `'${value}'`).join(', ')}])[t.${column} + 1]`;
const time = (column: string): string => `to_timestamp(t.${column} / 1000)`;

/** Name, type and value of each column. */
const COLUMNS = [
  ['id', 'TEXT', 't.id::text'],
  ['run', 'TEXT', 'runs.word::text'],
  ['task', 'TEXT', 'tasks.word::text'],
  ['seed', 'BIGINT', 't.seed'],
  ['agent', 'TEXT', `CASE WHEN t.agent = 0 THEN 'compact' ELSE agents.word::text END`],
  ['purpose', 'TEXT', decoded('purpose')],
  ['provenance', 'TEXT', decoded('provenance')],
  ['outcome', 'TEXT', decoded('outcome')],
  ['score', 'DOUBLE PRECISION', 't.score'],
  ['steps', 'BIGINT', 't.steps'],
  ['started_at', 'TIMESTAMPTZ', time('started')],
  ['ended_at', 'TIMESTAMPTZ', time('ended')],
  ['bytes', 'BIGINT', 't.bytes'],
  ['instruction', 'TEXT', 'instructions.word::text'],
] as const;

/** Of one workspace; %I is its schema. */
const SELECT = `SELECT ${COLUMNS.map(([, , value]) => value).join(', ')} FROM %1$I.trajectories AS t
  JOIN %1$I.words AS tasks ON tasks.number = t.task JOIN %1$I.words AS instructions ON instructions.number = t.instruction
  LEFT JOIN %1$I.words AS runs ON runs.number = t.run LEFT JOIN %1$I.words AS agents ON agents.number = t.agent`;

/** Creates what is missing. The view changes with the version of the tables. */
export const CREATE_SHARED = `
BEGIN;
SELECT pg_advisory_xact_lock(${CREATION_LOCK});
CREATE SCHEMA IF NOT EXISTS ${SHARED};
CREATE TABLE IF NOT EXISTS ${WORKSPACES} (
  name TEXT PRIMARY KEY, machine TEXT NOT NULL, folder TEXT NOT NULL, opened TIMESTAMPTZ NOT NULL,
  writer TEXT NOT NULL, version BIGINT
);
DO $create$ BEGIN
  IF to_regproc('${READER}') IS NULL THEN
    DROP VIEW IF EXISTS ${TRAJECTORIES};
    CREATE FUNCTION ${READER}()
      RETURNS TABLE (workspace TEXT, machine TEXT, folder TEXT, ${COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')})
      LANGUAGE plpgsql STABLE AS $reader$
      #variable_conflict use_column
      DECLARE place RECORD;
      BEGIN
        FOR place IN SELECT w.name, w.machine, w.folder FROM ${WORKSPACES} AS w WHERE w.version = ${SCHEMA_VERSION} LOOP
          RETURN QUERY EXECUTE 'SELECT $1, $2, $3, each.* FROM (' || format($select$${SELECT}$select$, place.name) || ') AS each'
            USING place.name, place.machine, place.folder;
        END LOOP;
      END $reader$;
    CREATE VIEW ${TRAJECTORIES} AS SELECT * FROM ${READER}();
  END IF;
END $create$;
COMMIT;`;
