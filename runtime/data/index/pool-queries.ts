// Queries of the index about the success pool: members, the review queue and marks. Read-only.

import { type TaskId, type TrajectoryId, taskId } from '../../core/ids.ts';
import { parseMark } from '../files/marks.ts';
import { conditionOf } from './filters.ts';
import type { IndexReader } from './index-reader.ts';
import type { Filter, TaskRate, TrajectoryIndex } from './queries.ts';
import { codeOf } from './tables.ts';
import { ratesOf } from './trajectory-queries.ts';

const SUCCESS = codeOf('outcome', 'success');
const EVALUATE = codeOf('purpose', 'evaluate');
const COLLECTED = [codeOf('purpose', 'collect'), codeOf('purpose', 'demonstrate')].join(', ');
const HINDSIGHT = codeOf('provenance', 'hindsight');
/** Larger than any time: collected successes of an instance precede all others. */
const COLLECTED_RANK = 1e15;

type PoolQueries = Pick<TrajectoryIndex, 'waiting' | 'members' | 'memberCounts' | 'marks'>;

export function poolQueries(reader: IndexReader): PoolQueries {
  const { database } = reader;
  const memberCounts = (): ReadonlyMap<TaskId, number> =>
    new Map(
      database
        .all('SELECT task, count(*) FROM trajectories WHERE in_pool = 1 GROUP BY task')
        .map(([task, count]) => [taskId(reader.textOf(task)), Number(count)]),
    );
  return {
    memberCounts: async () => memberCounts(),
    async waiting({ offset, limit, ...filter }) {
      const members = memberCounts();
      const rates = new Map(ratesOf(reader, conditionOf(filter, reader)).map(rate => [rate.task, rate]));
      const candidates = reviewCandidates(reader, filter).sort(
        (a, b) =>
          (members.get(a.task) ?? 0) - (members.get(b.task) ?? 0) ||
          successShare(rates.get(a.task)) - successShare(rates.get(b.task)) ||
          (a.task === b.task ? b.rank - a.rank : a.task < b.task ? -1 : 1),
      );
      const selected = candidates.slice(offset, offset + limit);
      const rows = reader.byNumber(selected.map(({ number }) => number));
      const waiting = selected.flatMap(({ number, task }) => {
        const row = rows.get(number);
        const { successes = 0, trials = 0 } = rates.get(task) ?? {};
        return row === undefined ? [] : [{ row, members: members.get(task) ?? 0, successes, trials }];
      });
      return { total: candidates.length, waiting };
    },
    async members({ offset, limit, tasks }) {
      const filter: Filter = { isInPool: true, ...(tasks !== undefined && { tasks }) };
      const { sql, values } = conditionOf(filter, reader);
      const [[total] = []] = database.all(`SELECT count(*) FROM trajectories WHERE 1${sql}`, values);
      // Marks are numbered in order of creation, so the largest number is the latest mark.
      const latest = database.all(
        `SELECT t.number, mark, max(s.number) AS last FROM trajectories AS t JOIN said AS s ON s.id = t.id
          WHERE json_extract(mark, '$.kind') = 'pool'${sql}
          GROUP BY t.number ORDER BY last DESC LIMIT ? OFFSET ?`,
        [...values, limit, offset],
      );
      const rows = reader.byNumber(latest.map(([number]) => Number(number)));
      const members = latest.flatMap(([number, json]) => {
        const row = rows.get(Number(number));
        const mark = parseMark(JSON.parse(String(json)));
        return row === undefined || mark === undefined ? [] : [{ row, who: mark.who, at: mark.at }];
      });
      return { total: Number(total), members };
    },
    marks: async (id: TrajectoryId) =>
      database
        .all('SELECT mark FROM said WHERE id = ? ORDER BY number', [id])
        .flatMap(([json]) => parseMark(JSON.parse(String(json))) ?? []),
  };
}

/** One success per instance without a member. With one maximum, SQLite takes the other columns from the row of the maximum. */
function reviewCandidates(reader: IndexReader, filter: Filter) {
  const { sql, values } = conditionOf(filter, reader);
  const pooled = new Set(
    reader.database
      .all('SELECT DISTINCT task, seed FROM trajectories WHERE in_pool = 1')
      .map(([task, seed]) => `${task} ${seed}`),
  );
  return reader.database
    .all(
      `SELECT task, seed, number, max((purpose IN (${COLLECTED})) * ${COLLECTED_RANK} + ended)
        FROM trajectories INDEXED BY by_task
        WHERE outcome = ${SUCCESS} AND purpose <> ${EVALUATE} AND provenance <> ${HINDSIGHT}
        AND in_pool IS NULL${sql} GROUP BY task, seed`,
      values,
    )
    .filter(([task, seed]) => !pooled.has(`${task} ${seed}`))
    .map(([task, , number, rank]) => ({
      number: Number(number),
      task: taskId(reader.textOf(task)),
      rank: Number(rank),
    }));
}

/** 0 without trials, so that untried tasks count as hard. */
const successShare = (rate: TaskRate | undefined): number =>
  rate === undefined || rate.trials === 0 ? 0 : rate.successes / rate.trials;
