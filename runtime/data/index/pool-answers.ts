// Implements the queries of the success pool: members, the review queue and marks. Read-only.

import { type TaskId, type TrajectoryId, taskId } from '../../core/ids.ts';
import { type Mark, parseMark } from '../files/marks.ts';
import type { IndexAnswers } from './answers.ts';
import type { Database } from './database.ts';
import type { TextDictionary } from './dictionary.ts';
import { conditionOf } from './filters.ts';
import type { Filter, PoolMemberRow, ReviewCandidate, TaskRate, TrajectoryIndex } from './questions.ts';
import type { RowReader } from './rows.ts';
import { CODES } from './tables.ts';

type Question<Q extends keyof TrajectoryIndex> = Parameters<TrajectoryIndex[Q]>[0];

const SUCCESS = CODES.outcome.indexOf('success');
const EVALUATE = CODES.purpose.indexOf('evaluate');
const COLLECTED = [CODES.purpose.indexOf('collect'), CODES.purpose.indexOf('demonstrate')].join(', ');
const HINDSIGHT = CODES.provenance.indexOf('hindsight');
/** Later than any that ended: what was collected for it comes before all else. */
const COLLECTED_FIRST = 1e15;

/** The newest success of an instance that may be waiting. */
interface Candidate {
  readonly number: number;
  readonly task: TaskId;
  readonly rank: number;
}

export class PoolAnswers {
  readonly #database: Database;
  readonly #words: TextDictionary;
  readonly #rows: RowReader;
  readonly #answers: Pick<IndexAnswers, 'rates'>;

  constructor(
    database: Database,
    words: TextDictionary,
    rows: RowReader,
    answers: Pick<IndexAnswers, 'rates'>,
  ) {
    this.#database = database;
    this.#words = words;
    this.#rows = rows;
    this.#answers = answers;
  }

  waiting({ offset, limit, ...filter }: Question<'waiting'>): {
    readonly total: number;
    readonly waiting: readonly ReviewCandidate[];
  } {
    const members = this.counts();
    const rates = new Map(this.#answers.rates({ filter }).map(each => [each.task, each]));
    const all = this.#candidates(filter).sort(
      (a, b) =>
        (members.get(a.task) ?? 0) - (members.get(b.task) ?? 0) ||
        rateOf(rates.get(a.task)) - rateOf(rates.get(b.task)) ||
        (a.task === b.task ? b.rank - a.rank : a.task < b.task ? -1 : 1),
    );
    const shown = all.slice(offset, offset + limit);
    const rows = new Map(
      this.#rows.numbered(shown.map(({ number }) => number)).map(({ number, row }) => [number, row] as const),
    );
    const waiting = shown.flatMap(({ number, task }) => {
      const row = rows.get(number);
      const { successes = 0, trials = 0 } = rates.get(task) ?? {};
      return row === undefined ? [] : [{ row, members: members.get(task) ?? 0, successes, trials }];
    });
    return { total: all.length, waiting };
  }

  /** One for each instance without a member: of one maximum SQLite gives the other columns from the same row. */
  #candidates(filter: Filter): Candidate[] {
    const { sql, values } = conditionOf(filter, this.#words);
    const pooled = new Set(
      this.#database
        .all('SELECT DISTINCT task, seed FROM trajectories WHERE in_pool = 1')
        .map(([task, number]) => `${task} ${number}`),
    );
    return this.#database
      .all(
        `SELECT task, seed, number, max((purpose IN (${COLLECTED})) * ${COLLECTED_FIRST} + ended)
          FROM trajectories INDEXED BY by_task
          WHERE outcome = ${SUCCESS} AND purpose <> ${EVALUATE} AND provenance <> ${HINDSIGHT}
          AND in_pool IS NULL${sql} GROUP BY task, seed`,
        values,
      )
      .filter(([task, number]) => !pooled.has(`${task} ${number}`))
      .map(([task, , number, rank]) => ({
        number: Number(number),
        task: taskId(this.#words.wordOf(Number(task))),
        rank: Number(rank),
      }));
  }

  members({ offset, limit, tasks }: Question<'members'>): {
    readonly total: number;
    readonly members: readonly PoolMemberRow[];
  } {
    const filter: Filter = { isInPool: true, ...(tasks !== undefined && { tasks }) };
    const { sql, values } = conditionOf(filter, this.#words);
    const [[total] = []] = this.#database.all(`SELECT count(*) FROM trajectories WHERE 1${sql}`, values);
    // A number grows with every mark, so the greatest is that of the last word.
    const found = this.#database.all(
      `SELECT t.number, mark, max(s.number) AS last FROM trajectories AS t JOIN said AS s ON s.id = t.id
        WHERE json_extract(mark, '$.kind') = 'pool'${sql}
        GROUP BY t.number ORDER BY last DESC LIMIT ? OFFSET ?`,
      [...values, limit, offset],
    );
    const rows = new Map(
      this.#rows
        .numbered(found.map(([number]) => Number(number)))
        .map(({ number, row }) => [number, row] as const),
    );
    const members = found.flatMap(([number, text]) => {
      const row = rows.get(Number(number));
      const mark = parseMark(JSON.parse(String(text)));
      return row === undefined || mark === undefined ? [] : [{ row, who: mark.who, at: mark.at }];
    });
    return { total: Number(total), members };
  }

  counts(): ReadonlyMap<TaskId, number> {
    return new Map(
      this.#database
        .all('SELECT task, count(*) FROM trajectories WHERE in_pool = 1 GROUP BY task')
        .map(([task, count]) => [taskId(this.#words.wordOf(Number(task))), Number(count)]),
    );
  }

  said(id: TrajectoryId): readonly Mark[] {
    return this.#database
      .all('SELECT mark FROM said WHERE id = ? ORDER BY number', [id])
      .flatMap(([text]) => parseMark(JSON.parse(String(text))) ?? []);
  }
}

/** What was never tried counts as hard. */
const rateOf = (rate: TaskRate | undefined): number =>
  rate === undefined || rate.trials === 0 ? 0 : rate.successes / rate.trials;
