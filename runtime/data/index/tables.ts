// The tables and SQL indexes of the trajectory index, and the numbers that replace values in them.

import { ACTION_KINDS } from '../../core/action.ts';
import { MODES } from '../../core/policy.ts';
import { ENTROPY_ESTIMATORS } from '../../core/trace.ts';
import { ENDINGS, OUTCOMES, PROVENANCES, PURPOSES } from '../../protocol/daemon/trajectories.ts';
import type { Dialect } from './database.ts';
import type { Sort } from './queries.ts';

/** An index with another number is rebuilt. */
export const SCHEMA_VERSION = 14;

/** Rows store the position of a value in its list. Append to these lists only; any other change needs a new SCHEMA_VERSION. */
export const CODES = {
  purpose: PURPOSES,
  mode: MODES,
  provenance: PROVENANCES,
  outcome: OUTCOMES,
  ending: ENDINGS,
  broke: ['environment', 'policy', 'task', 'provider'],
  kind: ACTION_KINDS,
  estimator: ENTROPY_ESTIMATORS,
} as const;

/** The number that replaces a value in the tables; -1, which matches no row, for an unknown value. */
export const codeOf = (column: keyof typeof CODES, value: string): number =>
  (CODES[column] as readonly string[]).indexOf(value);

/** Shares from 0 to 1 are stored as integers, with the five digits that trajectory files have. */
export const SHARE_SCALE = 100_000;

export const SORT_COLUMN: Readonly<Record<Sort, string>> = {
  startedAt: 'started',
  endedAt: 'ended',
  score: 'score',
  steps: 'steps',
  meanUncertainty: 'mean_uncertainty',
  maxUncertainty: 'max_uncertainty',
  oldest: 'oldest',
  newest: 'newest',
};

/**
 * `agent` is 0 for the built-in agent, and for trajectories that no agent played. `judged` is the evaluator's outcome; `outcome` includes a manual verdict. Tasks, runs, labels and instructions are numbers of `words`,
 * which has each text once: the index thread finds their numbers in memory. `said` contains all marks, and `accepts` is 1 for those that accept a member of the success pool; `marks` has the state after them;
 * `suggestions` the latest one of each agent. Numbers without bounds in the files have the type DOUBLE PRECISION, so that no file breaks the index. `tallies` counts the episodes of each minute, also those that retention deleted, and no relabelled copies; its run 0 means no run.
 */
export const tablesFor = ({ serial, text, keyed }: Dialect): string => `
CREATE TABLE words (number BIGINT NOT NULL PRIMARY KEY, word ${text} NOT NULL) ${keyed};
CREATE TABLE meta (name ${text} PRIMARY KEY, value BIGINT NOT NULL) ${keyed};
CREATE TABLE marks (id ${text} PRIMARY KEY, marked ${text} NOT NULL) ${keyed};
CREATE TABLE said (number ${serial}, id ${text} NOT NULL, mark ${text} NOT NULL, accepts BIGINT NOT NULL);
CREATE INDEX said_by_id ON said (id, accepts, number);
CREATE TABLE suggestions (id ${text} NOT NULL, agent ${text} NOT NULL, suggestion ${text} NOT NULL, PRIMARY KEY (id, agent)) ${keyed};
CREATE TABLE trajectories (
  number ${serial}, id ${text} NOT NULL UNIQUE,
  run BIGINT, task BIGINT NOT NULL, seed BIGINT NOT NULL, purpose BIGINT NOT NULL, mode BIGINT NOT NULL,
  provenance BIGINT NOT NULL, outcome BIGINT NOT NULL, judged BIGINT NOT NULL, ending BIGINT, broke BIGINT, score DOUBLE PRECISION,
  steps BIGINT NOT NULL, mean_uncertainty DOUBLE PRECISION, max_uncertainty DOUBLE PRECISION, oldest BIGINT, newest BIGINT,
  started DOUBLE PRECISION NOT NULL, ended DOUBLE PRECISION NOT NULL, minute DOUBLE PRECISION NOT NULL, bytes BIGINT NOT NULL, label BIGINT, in_pool BIGINT, team ${text}, instruction BIGINT NOT NULL,
  agent BIGINT NOT NULL, estimator BIGINT, prompt_tokens DOUBLE PRECISION, completion_tokens DOUBLE PRECISION, latency DOUBLE PRECISION, cost DOUBLE PRECISION, malformed BIGINT
);
CREATE TABLE steps (
  trajectory BIGINT NOT NULL, step BIGINT NOT NULL, task BIGINT NOT NULL, outcome BIGINT NOT NULL, run BIGINT, agent BIGINT NOT NULL,
  kind BIGINT NOT NULL, uncertainty DOUBLE PRECISION NOT NULL, probability DOUBLE PRECISION NOT NULL, version BIGINT NOT NULL,
  PRIMARY KEY (trajectory, step)
) ${keyed};
CREATE TABLE tallies (
  task BIGINT NOT NULL, minute DOUBLE PRECISION NOT NULL, purpose BIGINT NOT NULL, run BIGINT NOT NULL,
  successes BIGINT NOT NULL, trials BIGINT NOT NULL, broken BIGINT NOT NULL,
  PRIMARY KEY (task, minute, purpose, run)
) ${keyed};
`;

/** Of these tables alone: a database can have the tables of other workspaces. */
export const ANALYSE = ['words', 'marks', 'said', 'suggestions', 'trajectories', 'steps', 'tallies']
  .map(table => `ANALYZE ${table}`)
  .join('; ');

/** Only the most uncertain steps of a trajectory are indexed. */
export const STEPS_KEPT = 4;

/** Each SQL index contains the columns of the filters, so that no row is read that a filter rejects. */
const FACETS = [
  ...['outcome', 'purpose', 'provenance', 'task', 'run', 'in_pool', 'label', 'seed'],
  ...['instruction', 'steps', 'oldest', 'newest', 'agent'],
];

export const MINUTE_MS = 60_000;

/** The SQL index in the order of a column. */
export const indexOf = (column: string): string => `by_${column}`;

const SORTABLE = [...new Set(Object.values(SORT_COLUMN))];
/** The other columns of SORT_COLUMN always have a value. */
const OPTIONAL: readonly string[] = ['score', 'mean_uncertainty', 'max_uncertainty', 'oldest', 'newest'];

/** A column in ORDER BY. Absent values are the smallest. */
export const sorted = (column: string, direction: 'ASC' | 'DESC', { nulls }: Dialect): string =>
  `${column} ${direction}${OPTIONAL.includes(column) ? nulls[direction] : ''}`;

/** A rebuild creates them after all rows are inserted. */
export const indexesFor = ({ indexNulls }: Dialect): readonly string[] => [
  ...SORTABLE.map(column => {
    const [first = column, ...others] = new Set([column, 'ended', 'number', ...FACETS]);
    const nulls = OPTIONAL.includes(first) ? indexNulls : '';
    return `CREATE INDEX ${indexOf(column)} ON trajectories (${[first + nulls, ...others].join(', ')})`;
  }),
  'CREATE INDEX by_task ON trajectories (task, seed, ended, number, outcome, purpose, provenance, run, in_pool, label)',
  'CREATE INDEX by_bytes ON trajectories (bytes)',
  'CREATE INDEX by_label ON trajectories (label) WHERE label IS NOT NULL',
  'CREATE INDEX by_pool ON trajectories (in_pool) WHERE in_pool IS NOT NULL',
  'CREATE INDEX by_team ON trajectories (team) WHERE team IS NOT NULL',
  // Ordered by outcome first, so that rare outcomes are found without a scan.
  'CREATE INDEX steps_by_outcome ON steps (outcome, uncertainty, trajectory, step, kind, task, run, agent)',
  'CREATE INDEX steps_by_run ON steps (run, outcome, uncertainty, trajectory, step, kind, task, agent)',
  'CREATE INDEX steps_by_task ON steps (task, outcome, uncertainty, trajectory, step, kind, run, agent)',
  // Few trajectories are of other agents than the built-in one.
  'CREATE INDEX by_agent ON trajectories (agent, purpose, task, seed) WHERE agent <> 0',
];
