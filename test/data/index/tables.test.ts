// The SQL indexes that SQLite selects for the queries of the trajectory index.

import { createHash } from 'node:crypto';
import initSqlJs, { type Database } from 'sql.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { SQLITE } from '../../../runtime/data/index/sqlite-database.ts';
import {
  indexesFor,
  indexOf,
  SCHEMA_VERSION,
  SORT_COLUMN,
  sorted,
  tablesFor,
} from '../../../runtime/data/index/tables.ts';

test('each schema has its number: an index with the tables of another one would be used otherwise', () => {
  const schema = [tablesFor(SQLITE), ...indexesFor(SQLITE)].join('\n');
  const hash = createHash('sha256').update(schema).digest('hex').slice(0, 16);
  // After a change of the tables: give them a new number, then correct both here.
  expect({ version: SCHEMA_VERSION, hash }).toEqual({ version: 14, hash: '145603cb76f8c57c' });
});

let database: Database;
beforeAll(async () => {
  const { Database } = await initSqlJs();
  database = new Database();
  for (const statement of [tablesFor(SQLITE), ...indexesFor(SQLITE)]) database.run(statement);
  return () => database.close();
});

const planOf = (question: string): string =>
  (database.exec(`EXPLAIN QUERY PLAN ${question}`)[0]?.values ?? []).map(row => row.at(-1)).join('; ');

const page = (condition: string, column: string, indexedBy = '') => {
  const order = [...new Set([column, 'ended', 'number'])]
    .map(each => sorted(each, 'DESC', SQLITE))
    .join(', ');
  return planOf(
    `SELECT number FROM trajectories ${indexedBy} WHERE TRUE${condition} ORDER BY ${order} LIMIT ? OFFSET ?`,
  );
};

const count = (condition: string) => planOf(`SELECT count(*) FROM trajectories WHERE TRUE${condition}`);

describe.each(Object.values(SORT_COLUMN))('a page sorted by %s', column => {
  test.each([
    '',
    ' AND purpose IN (0)',
    ' AND outcome IN (1)',
    ' AND purpose IN (0) AND outcome IN (1)',
    ' AND run = 1',
  ])('with a frequent value is read in index order, without a sort%s', condition => {
    const plan = page(condition, column);
    expect(plan).toMatch(new RegExp(`COVERING INDEX by_${column}( |$)`));
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('of several tasks is read in index order', () => {
    const plan = page(' AND task IN (1, 2)', column, SQLITE.indexedBy(indexOf(column)));
    expect(plan).toMatch(new RegExp(`COVERING INDEX by_${column}( |$)`));
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('with a rare value is looked up in the index of that value', () => {
    expect(page(" AND team = 'x'", column)).toContain('INDEX by_team (');
    expect(page(' AND label = 1', column)).toContain('INDEX by_label (');
  });
});

test.each([
  '',
  ' AND purpose IN (0)',
  ' AND purpose IN (0) AND outcome IN (1)',
  ' AND task IN (1) AND seed = 2',
  ' AND in_pool = 1',
  " AND team = 'x'",
])('trajectories are counted in an index, without the table%s', condition => {
  expect(count(condition)).toMatch(/COVERING INDEX/);
});
