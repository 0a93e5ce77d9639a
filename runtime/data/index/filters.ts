// Converts filters to SQL conditions. Values are bound, and never become part of the SQL text.

import { COMPACT_AGENT } from '../../core/agent.ts';
import type { SqlValue } from './database.ts';
import type { IndexReader } from './index-reader.ts';
import type { Filter, Range, StepFilter } from './queries.ts';
import { type CODES, codeOf } from './tables.ts';

export interface SqlCondition {
  /** Starts with AND, or is empty. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

type Part = readonly [sql: string, ...values: SqlValue[]];

export const conditionOf = (filter: Filter, reader: IndexReader): SqlCondition =>
  joined([
    ...sharedParts(filter, reader),
    ...compares('seed =', filter.seed),
    ...compares('team =', filter.group),
    ...isCoded('purpose', filter.purposes),
    ...isCoded('provenance', filter.provenances),
    ...isCoded('outcome', filter.outcomes),
    ...compares('label =', filter.label && reader.findNumber(filter.label)),
    ...inPool(filter.isInPool),
    ...compares('ended >=', filter.since),
    ...compares('ended <', filter.until),
    ...within('steps', filter.steps),
    ...within('max_uncertainty', filter.maxUncertainty),
    // Two ranges overlap if each starts before the other ends.
    ...compares('newest >=', filter.versions?.from),
    ...compares('oldest <=', filter.versions?.to),
    ...(filter.text === undefined ? [] : [hasText(filter.text, reader)]),
  ]);

/** The condition on steps of one outcome. */
export const stepConditionOf = (filter: StepFilter, reader: IndexReader): SqlCondition =>
  joined([...sharedParts(filter, reader), ...isCoded('kind', filter.kinds)]);

const sharedParts = ({ run, tasks, agents }: StepFilter, reader: IndexReader): readonly Part[] => [
  ...compares('run =', run && reader.findNumber(run)),
  ...isOneOf(
    'task',
    tasks?.map(task => reader.findNumber(task)),
  ),
  ...isOneOf(
    'agent',
    agents?.map(agent => (agent === COMPACT_AGENT ? 0 : reader.findNumber(agent))),
  ),
];

const compares = (comparison: string, value: SqlValue | undefined): readonly Part[] =>
  value === undefined ? [] : [[`${comparison} ?`, value]];

/** A trajectory without votes has no value. */
const inPool = (isInPool: boolean | undefined): readonly Part[] =>
  isInPool === undefined ? [] : [[isInPool ? 'in_pool = 1' : 'coalesce(in_pool, 0) = 0']];

const within = (column: string, range: Range | undefined): readonly Part[] => [
  ...compares(`${column} >=`, range?.from),
  ...compares(`${column} <=`, range?.to),
];

function isOneOf(column: string, values: readonly number[] | undefined): readonly Part[] {
  if (values === undefined) return [];
  return [
    values.length === 0 ? ['FALSE'] : [`${column} IN (${values.map(() => '?').join(', ')})`, ...values],
  ];
}

const isCoded = (column: keyof typeof CODES, values: readonly string[] | undefined): readonly Part[] =>
  isOneOf(
    column,
    values?.map(value => codeOf(column, value)),
  );

function hasText(text: string, reader: IndexReader): Part {
  const { numbers } = reader.database.dialect;
  const found = JSON.stringify(reader.findNumbers(text));
  return [`(instruction IN (${numbers}) OR task IN (${numbers}))`, found, found];
}

const joined = (parts: readonly Part[]): SqlCondition => ({
  sql: parts.map(([sql]) => ` AND ${sql}`).join(''),
  values: parts.flatMap(([, ...values]) => values),
});
