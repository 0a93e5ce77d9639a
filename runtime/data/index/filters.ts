// Filters as conditions of SQL. Values are bound, and never become part of the text.

import type { SqlValue } from './database.ts';
import type { TextDictionary } from './dictionary.ts';
import type { Filter, Range, StepFilter } from './questions.ts';
import { CODES } from './tables.ts';

export interface SqlCondition {
  /** Begins with AND where it is not empty. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

type Part = readonly [sql: string, ...values: SqlValue[]];

const NONE: readonly Part[] = [];

export const conditionOf = (filter: Filter, words: TextDictionary): SqlCondition =>
  joined([
    ...is('run', filter.run === undefined ? undefined : words.known(filter.run)),
    ...isOneOf(
      'task',
      filter.tasks?.map(task => words.known(task)),
    ),
    ...is('seed', filter.seed),
    ...is('team', filter.group),
    ...isOneOf(
      'purpose',
      filter.purposes?.map(each => CODES.purpose.indexOf(each)),
    ),
    ...isOneOf(
      'provenance',
      filter.provenances?.map(each => CODES.provenance.indexOf(each)),
    ),
    ...isOneOf(
      'outcome',
      filter.outcomes?.map(each => CODES.outcome.indexOf(each)),
    ),
    ...is('label', filter.label === undefined ? undefined : words.known(filter.label)),
    ...is('in_pool', filter.isInPool === undefined ? undefined : Number(filter.isInPool)),
    ...(filter.since === undefined ? NONE : [['ended >= ?', filter.since] as const]),
    ...(filter.until === undefined ? NONE : [['ended < ?', filter.until] as const]),
    ...within('steps', filter.steps),
    ...within('max_uncertainty', filter.maxUncertainty),
    // Two spans have something in common where each begins before the other ends.
    ...within('newest', { from: filter.versions?.from }),
    ...within('oldest', { to: filter.versions?.to }),
    ...(filter.text === undefined ? NONE : [[HAS_TEXT, ...Array(2).fill(likeness(filter.text))] as const]),
  ]);

const HAS_TEXT = ['instruction', 'task']
  .map(column => `${column} IN (SELECT number FROM words WHERE word LIKE ? ESCAPE '!')`)
  .reduce((one, other) => `(${one} OR ${other})`);

/** Wherever it stands in a word, in whatever case. */
const likeness = (text: string): string => `%${text.replaceAll(/[!%_]/g, '!$&')}%`;

/** Of steps of one outcome. */
export const stepConditionOf = (filter: StepFilter, words: TextDictionary): SqlCondition =>
  joined([
    ...is('run', filter.run === undefined ? undefined : words.known(filter.run)),
    ...isOneOf(
      'task',
      filter.tasks?.map(task => words.known(task)),
    ),
    ...isOneOf(
      'kind',
      filter.kinds?.map(each => CODES.kind.indexOf(each)),
    ),
  ]);

const is = (column: string, value: SqlValue | undefined): readonly Part[] =>
  value === undefined ? NONE : [[`${column} = ?`, value]];

const within = (column: string, range: Partial<Range> = {}): readonly Part[] => [
  ...(range.from === undefined ? NONE : [[`${column} >= ?`, range.from] as const]),
  ...(range.to === undefined ? NONE : [[`${column} <= ?`, range.to] as const]),
];

const isOneOf = (column: string, values: readonly number[] | undefined): readonly Part[] =>
  values === undefined ? NONE : [[`${column} IN (${values.map(() => '?').join(', ')})`, ...values]];

const joined = (parts: readonly Part[]): SqlCondition => ({
  sql: parts.map(([sql]) => ` AND ${sql}`).join(''),
  values: parts.flatMap(([, ...values]) => values),
});
