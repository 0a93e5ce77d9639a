// The tables of the index, and what in them is a number in the place of a word. No question is asked here.

import { ACTION_KINDS } from '../../core/action.ts';
import type { Purpose } from '../../core/order.ts';
import type { Mode } from '../../core/policy.ts';
import { OUTCOMES, PROVENANCES } from '../files/summary.ts';
import type { Sort } from './questions.ts';

/** Another number, and saved indexes are made anew. */
export const SCHEMA_VERSION = 7;

/** Words are kept as their place here: rows are short, and what compares them is quick. Only ever added to at the end. */
export const CODES = {
  purpose: ['train', 'evaluate', 'collect', 'demonstrate'] satisfies readonly Purpose[],
  mode: ['screenshot', 'a11y_tree', 'screenshot_a11y_tree'] satisfies readonly Mode[],
  provenance: PROVENANCES,
  outcome: OUTCOMES,
  ending: ['finished', 'fail', 'capped'],
  broke: ['environment', 'policy', 'task', 'provider'],
  kind: ACTION_KINDS,
} as const;

/** Shares, from 0 to 1, as whole numbers: as exact as the files have them, and shorter. */
export const SHARE = 100_000;

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
 * `judged` is the outcome by the evaluator, `outcome` that which counts. Tasks, runs, labels and instructions are numbers of `words`.
 * `said` has every mark as it was made, `marks` what holds after them. `deleted` adds up what retention deleted: as much of it as rates
 * ask for, so that a run that goes on for days takes no more memory. A run of 0 is none.
 */
export const TABLES = `
CREATE TABLE words (number INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE marks (id TEXT PRIMARY KEY, marked TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE said (number INTEGER PRIMARY KEY, id TEXT NOT NULL, mark TEXT NOT NULL, UNIQUE (id, mark));
CREATE TABLE trajectories (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  run INTEGER, task INTEGER NOT NULL, seed INTEGER NOT NULL, purpose INTEGER NOT NULL, mode INTEGER NOT NULL,
  provenance INTEGER NOT NULL, outcome INTEGER NOT NULL, judged INTEGER NOT NULL, ending INTEGER, broke INTEGER, score REAL,
  steps INTEGER NOT NULL, mean_uncertainty REAL, max_uncertainty REAL, oldest INTEGER, newest INTEGER,
  started INTEGER NOT NULL, ended INTEGER NOT NULL, minute INTEGER NOT NULL, bytes INTEGER NOT NULL, label INTEGER, in_pool INTEGER, team TEXT, instruction INTEGER NOT NULL
);
CREATE TABLE steps (
  trajectory INTEGER NOT NULL, step INTEGER NOT NULL, task INTEGER NOT NULL, outcome INTEGER NOT NULL, run INTEGER,
  kind INTEGER NOT NULL, uncertainty INTEGER NOT NULL, probability INTEGER NOT NULL, version INTEGER NOT NULL,
  PRIMARY KEY (trajectory, step)
) WITHOUT ROWID;
CREATE TABLE deleted (
  task INTEGER NOT NULL, minute INTEGER NOT NULL, purpose INTEGER NOT NULL, run INTEGER NOT NULL,
  successes INTEGER NOT NULL, trials INTEGER NOT NULL, broken INTEGER NOT NULL, score REAL NOT NULL, scored INTEGER NOT NULL,
  PRIMARY KEY (task, minute, purpose, run)
) WITHOUT ROWID;
`;

/** So many steps of a trajectory are in the index, the most uncertain ones: nobody looks for the others, and most are others. */
export const STEPS_KEPT = 4;

/** What filters look at stands in every index, so that rows that do not pass are never read. */
const FACETS = [
  ...['outcome', 'purpose', 'provenance', 'task', 'run', 'in_pool', 'label', 'seed'],
  ...['instruction', 'steps', 'oldest', 'newest'],
];

/** In the order in which success is added up: nothing has to be sorted for it, however much there is. */
export const TALLY_INDEX = 'by_minute';
export const MINUTE = 60_000;

/** Made last when many rows come at once. */
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
  // Of one outcome after the other: what is rare is then found without passing by all that is not.
  'CREATE INDEX steps_by_outcome ON steps (outcome, uncertainty, trajectory, step, kind, task, run)',
  'CREATE INDEX steps_by_run ON steps (run, outcome, uncertainty, trajectory, step, kind, task)',
  'CREATE INDEX steps_by_task ON steps (task, outcome, uncertainty, trajectory, step, kind, run)',
];
