// The tables and SQL indexes of the trajectory index, and the numbers that replace values in them.

import { ACTION_KINDS } from '../../core/action.ts';
import { MODES } from '../../core/policy.ts';
import { ENTROPY_ESTIMATORS } from '../../core/trace.ts';
import { ENDINGS, OUTCOMES, PROVENANCES, PURPOSES } from '../../protocol/daemon/trajectories.ts';
import type { Sort } from './queries.ts';

/** A saved index with another number is rebuilt. */
export const SCHEMA_VERSION = 10;

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
 * `agent` is 0 for the built-in agent, and for trajectories that no agent played. `judged` is the evaluator's outcome; `outcome` includes a manual verdict. Tasks, runs, labels and instructions are numbers of `words`.
 * `said` contains all marks, `marks` the state after them; `suggestions` the latest one of each agent. `deleted` sums the trajectories that retention deleted, so that it stays small
 * in long runs; its run 0 means no run.
 */
export const TABLES = `
CREATE TABLE words (number INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE marks (id TEXT PRIMARY KEY, marked TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE said (number INTEGER PRIMARY KEY, id TEXT NOT NULL, mark TEXT NOT NULL, UNIQUE (id, mark));
CREATE TABLE suggestions (id TEXT NOT NULL, agent TEXT NOT NULL, suggestion TEXT NOT NULL, PRIMARY KEY (id, agent)) WITHOUT ROWID;
CREATE TABLE trajectories (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  run INTEGER, task INTEGER NOT NULL, seed INTEGER NOT NULL, purpose INTEGER NOT NULL, mode INTEGER NOT NULL,
  provenance INTEGER NOT NULL, outcome INTEGER NOT NULL, judged INTEGER NOT NULL, ending INTEGER, broke INTEGER, score REAL,
  steps INTEGER NOT NULL, mean_uncertainty REAL, max_uncertainty REAL, oldest INTEGER, newest INTEGER,
  started INTEGER NOT NULL, ended INTEGER NOT NULL, minute INTEGER NOT NULL, bytes INTEGER NOT NULL, label INTEGER, in_pool INTEGER, team TEXT, instruction INTEGER NOT NULL,
  agent INTEGER NOT NULL, estimator INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER, latency REAL, cost REAL, malformed INTEGER
);
CREATE TABLE steps (
  trajectory INTEGER NOT NULL, step INTEGER NOT NULL, task INTEGER NOT NULL, outcome INTEGER NOT NULL, run INTEGER, agent INTEGER NOT NULL,
  kind INTEGER NOT NULL, uncertainty INTEGER NOT NULL, probability INTEGER NOT NULL, version INTEGER NOT NULL,
  PRIMARY KEY (trajectory, step)
) WITHOUT ROWID;
CREATE TABLE deleted (
  task INTEGER NOT NULL, minute INTEGER NOT NULL, purpose INTEGER NOT NULL, run INTEGER NOT NULL,
  successes INTEGER NOT NULL, trials INTEGER NOT NULL, broken INTEGER NOT NULL, score REAL NOT NULL, scored INTEGER NOT NULL,
  PRIMARY KEY (task, minute, purpose, run)
) WITHOUT ROWID;
`;

/** Only the most uncertain steps of a trajectory are indexed. */
export const STEPS_KEPT = 4;

/** Each SQL index contains the columns of the filters, so that SQLite does not read rows that a filter rejects. */
const FACETS = [
  ...['outcome', 'purpose', 'provenance', 'task', 'run', 'in_pool', 'label', 'seed'],
  ...['instruction', 'steps', 'oldest', 'newest', 'agent'],
];

/** In the order in which rates are summed, so that SQLite does not sort. */
export const TALLY_INDEX = 'by_minute';
export const MINUTE_MS = 60_000;

/** A rebuild creates them after all rows are inserted. */
export const INDEXES = [
  ...[...new Set(Object.values(SORT_COLUMN))].map(column => {
    const columns = new Set([column, 'ended', 'number', ...FACETS]);
    return `CREATE INDEX by_${column} ON trajectories (${[...columns].join(', ')})`;
  }),
  'CREATE INDEX by_task ON trajectories (task, seed, ended, number, outcome, purpose, provenance, run, score, in_pool, label)',
  'CREATE INDEX by_bytes ON trajectories (bytes)',
  'CREATE INDEX by_label ON trajectories (label) WHERE label IS NOT NULL',
  'CREATE INDEX by_pool ON trajectories (in_pool) WHERE in_pool IS NOT NULL',
  'CREATE INDEX by_team ON trajectories (team) WHERE team IS NOT NULL',
  `CREATE INDEX ${TALLY_INDEX} ON trajectories (task, minute, outcome, purpose, provenance, run, score)`,
  // Ordered by outcome first, so that rare outcomes are found without a scan.
  'CREATE INDEX steps_by_outcome ON steps (outcome, uncertainty, trajectory, step, kind, task, run, agent)',
  'CREATE INDEX steps_by_run ON steps (run, outcome, uncertainty, trajectory, step, kind, task, agent)',
  'CREATE INDEX steps_by_task ON steps (task, outcome, uncertainty, trajectory, step, kind, run, agent)',
  // Few trajectories are of other agents than the built-in one.
  'CREATE INDEX by_agent ON trajectories (agent, purpose, task, seed) WHERE agent <> 0',
];
