// Queries of the index about trajectories: pages, success rates, volume and retention candidates. Read-only.

import { runId, taskId, trajectoryId } from '../../core/ids.ts';
import { conditionOf, type SqlCondition } from './filters.ts';
import { decoded, type IndexReader, isPresent } from './index-reader.ts';
import type { Filter, TaskRate, TaskRateInterval, TrajectoryIndex } from './queries.ts';
import { indexOf, MINUTE_MS, SORT_COLUMN, sorted } from './tables.ts';

type TrajectoryQueries = Pick<
  TrajectoryIndex,
  'page' | 'row' | 'rows' | 'rates' | 'ratesOverTime' | 'successes' | 'volume' | 'bytesByRun' | 'kept'
>;

export function trajectoryQueries(reader: IndexReader): TrajectoryQueries {
  const { database } = reader;
  const { dialect } = database;
  const rows = (ids: readonly string[]) =>
    reader.trajectories(`SELECT number FROM trajectories WHERE id IN (${dialect.texts})`, [
      JSON.stringify(ids),
    ]);
  return {
    async page({ filter, sort, descending, offset, limit, upTo }) {
      const { sql, values } = upToNumber(conditionOf(filter, reader), upTo);
      const direction = descending ? 'DESC' : 'ASC';
      const order = [...new Set([SORT_COLUMN[sort], 'ended', 'number'])]
        .map(column => sorted(column, direction, dialect))
        .join(', ');
      const [[newest] = []] = await database.all('SELECT max(number) FROM trajectories');
      const [[total] = []] = await database.all(`SELECT count(*) FROM trajectories WHERE TRUE${sql}`, values);
      const table = `trajectories ${hasSeveralTasks(filter) ? dialect.indexedBy(indexOf(SORT_COLUMN[sort])) : ''}`;
      const select = `SELECT number FROM ${table} WHERE TRUE${sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
      return {
        total: Number(total),
        rows: await reader.trajectories(select, [...values, limit, offset], order),
        upTo: upTo ?? Number(newest),
      };
    },
    row: async id => (await rows([id]))[0],
    rows,
    rates: ({ filter }) => ratesOf(reader, conditionOf(filter, reader)),
    // Queries each interval separately, in the order of the table. Sorting all rows by interval took twice the time.
    async ratesOverTime({ filter, parts }) {
      const { sql, values } = conditionOf(filter, reader);
      const spans = await timeSpans(reader, { sql, values });
      if (spans.length === 0) return [];
      const tasks = JSON.stringify(spans.map(({ task }) => task));
      const first = Math.min(...spans.map(span => span.first));
      const length = Math.ceil((Math.max(...spans.map(({ last }) => last)) - first + 1) / parts);
      const within = `${sql} AND task IN (${dialect.numbers}) AND minute >= ? AND minute < ?`;
      const rates: TaskRateInterval[] = [];
      for (let part = 0; part < parts; part++) {
        const from = first + part * length;
        const condition = { sql: within, values: [...values, tasks, from, from + length] };
        for (const rate of await ratesOf(reader, condition)) rates.push({ from: from * MINUTE_MS, ...rate });
      }
      return rates;
    },
    async successes({ filter, each, limit }) {
      const { sql, values } = conditionOf({ ...filter, outcomes: ['success'] }, reader);
      const order = 'ended DESC, number DESC';
      return reader.trajectories(
        `SELECT number FROM (SELECT number, ended, row_number() OVER (PARTITION BY task, seed ORDER BY ${order}) AS rank
          FROM trajectories WHERE TRUE${sql}) AS ranked WHERE rank <= ? ORDER BY rank, ${order} LIMIT ?`,
        [...values, each, limit],
        order,
      );
    },
    async volume() {
      const [[count, bytes] = []] = await database.all('SELECT count(*), sum(bytes) FROM trajectories');
      return { count: Number(count), bytes: Number(bytes) };
    },
    async bytesByRun() {
      const found = await database.all(
        'SELECT run, sum(bytes) FROM trajectories WHERE run IS NOT NULL GROUP BY run',
      );
      return new Map(found.map(([run, bytes]) => [runId(reader.textOf(run)), Number(bytes)] as const));
    },
    async kept() {
      const found = await database.all(
        `SELECT t.id, bytes, outcome, ended, run, m.id IS NOT NULL, in_pool = 1
          FROM trajectories AS t LEFT JOIN marks AS m ON m.id = t.id`,
      );
      return found.map(([id, bytes, outcome, ended, run, isMarked, isInPool]) => ({
        id: trajectoryId(String(id)),
        bytes: Number(bytes),
        outcome: decoded('outcome', outcome),
        endedAt: Number(ended),
        ...(isPresent(run) && { run: runId(reader.textOf(run)) }),
        isMarked: isMarked === 1,
        isInPool: isInPool === 1,
      }));
    },
  };
}

/** SQLite would look all of their rows up and sort them, which takes ten times as long as reading them in order. */
const hasSeveralTasks = ({ tasks, seed, group, label }: Filter): boolean =>
  tasks !== undefined && tasks.length > 1 && [seed, group, label].every(each => each === undefined);

const upToNumber = ({ sql, values }: SqlCondition, upTo: number | undefined): SqlCondition =>
  upTo === undefined ? { sql, values } : { sql: `${sql} AND number <= ?`, values: [...values, upTo] };

/** A tally whose episodes were all removed counts nothing. */
const COUNTED = 'trials + broken > 0';

/** The rate of each task, including trajectories that retention deleted. */
export async function ratesOf(
  reader: IndexReader,
  { sql, values }: SqlCondition,
): Promise<readonly TaskRate[]> {
  const found = await reader.database.all(
    `SELECT task, sum(successes), sum(trials), sum(broken) FROM tallies WHERE ${COUNTED}${sql} GROUP BY task`,
    values,
  );
  return found.map(([task, successes, trials, broken]) => ({
    task: taskId(reader.textOf(task)),
    successes: Number(successes),
    trials: Number(trials),
    broken: Number(broken),
  }));
}

/** The first and last minute of each task, among existing and deleted trajectories. */
async function timeSpans({ database }: IndexReader, { sql, values }: SqlCondition) {
  const found = await database.all(
    `SELECT task, min(minute), max(minute) FROM tallies WHERE ${COUNTED}${sql} GROUP BY task`,
    values,
  );
  return found.map(([task, first, last]) => ({
    task: Number(task),
    first: Number(first),
    last: Number(last),
  }));
}
