// Implements the index queries in SQL. Read-only.

import { type RunId, runId, type TaskId, taskId, trajectoryId } from '../../core/ids.ts';
import type { Database, SqlValue } from './database.ts';
import type { TextDictionary } from './dictionary.ts';
import { conditionOf, type SqlCondition } from './filters.ts';
import type {
  IndexedTrajectory,
  Page,
  RetentionCandidate,
  StoreVolume,
  TaskRate,
  TaskRateInterval,
  TrajectoryIndex,
} from './questions.ts';
import { type RowReader, word } from './rows.ts';
import { CODES, MINUTE, SORT_COLUMN, TALLY_INDEX } from './tables.ts';

type Question<Q extends keyof TrajectoryIndex> = Parameters<TrajectoryIndex[Q]>[0];

const SUCCESS = CODES.outcome.indexOf('success');
const BROKEN = CODES.outcome.indexOf('broken');
const HINDSIGHT = CODES.provenance.indexOf('hindsight');

export class IndexAnswers {
  readonly #database: Database;
  readonly #words: TextDictionary;
  readonly #rows: RowReader;

  constructor(database: Database, words: TextDictionary, rows: RowReader) {
    this.#database = database;
    this.#words = words;
    this.#rows = rows;
  }

  page({ filter, sort, descending, offset, limit, upTo }: Question<'page'>): Page {
    const { sql, values } = upToOnly(conditionOf(filter, this.#words), upTo);
    const direction = descending ? 'DESC' : 'ASC';
    const order = [...new Set([SORT_COLUMN[sort], 'ended', 'number'])]
      .map(column => `${column} ${direction}`)
      .join(', ');
    const [[total] = []] = this.#database.all(`SELECT count(*) FROM trajectories WHERE 1${sql}`, values);
    const rows = this.#rows.found(
      `SELECT number FROM trajectories WHERE 1${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
      [...values, limit, offset],
      order,
    );
    return { total: Number(total), rows, upTo: upTo ?? this.#last() };
  }

  /** The number of what came last. */
  #last(): number {
    const [[last] = []] = this.#database.all('SELECT max(number) FROM trajectories');
    return Number(last ?? 0);
  }

  row(id: Question<'row'>): IndexedTrajectory | undefined {
    return this.rows([id])[0];
  }

  rows(ids: Question<'rows'>): readonly IndexedTrajectory[] {
    const numbers = 'SELECT number FROM trajectories WHERE id IN (SELECT value FROM json_each(?))';
    return this.#rows.found(numbers, [JSON.stringify(ids)], 'number');
  }

  rates({ filter }: Question<'rates'>): readonly TaskRate[] {
    return this.#rates(conditionOf(filter, this.#words));
  }

  /** Part by part, so that each is read in the order of the index: to sort all of it by parts took twice the time. */
  ratesOverTime({ filter, parts }: Question<'ratesOverTime'>): readonly TaskRateInterval[] {
    const { sql, values } = conditionOf(filter, this.#words);
    const spans = this.#spans({ sql, values });
    if (spans.length === 0) return [];
    const tasks = JSON.stringify([...new Set(spans.map(({ task }) => task))]);
    const first = Math.min(...spans.map(span => span.first));
    const length = Math.ceil((Math.max(...spans.map(({ last }) => last)) - first + 1) / parts);
    const within = `${sql} AND task IN (SELECT value FROM json_each(?)) AND minute >= ? AND minute < ?`;
    return Array.from({ length: parts }, (_, part) => first + part * length).flatMap(from =>
      this.#rates({ sql: within, values: [...values, tasks, from, from + length] }).map(rate => ({
        from: from * MINUTE,
        ...rate,
      })),
    );
  }

  /** Of each task, among what is there and what retention deleted. */
  #spans({ sql, values }: SqlCondition): readonly Span[] {
    const columns = 'SELECT task, min(minute), max(minute) FROM';
    return this.#database
      .all(
        `${columns} trajectories INDEXED BY ${TALLY_INDEX} WHERE provenance <> ${HINDSIGHT}${sql} GROUP BY task
          UNION ALL ${columns} deleted WHERE 1${sql} GROUP BY task`,
        [...values, ...values],
      )
      .map(([task, first, last]) => ({ task: Number(task), first: Number(first), last: Number(last) }));
  }

  /** For each task: what is there, and what retention deleted. */
  #rates({ sql, values }: SqlCondition): readonly TaskRate[] {
    return this.#database
      .all(
        `SELECT task, sum(successes), sum(trials), sum(broken), sum(score), sum(scored) FROM (
          SELECT task, total(outcome = ${SUCCESS}) AS successes, total(outcome <> ${BROKEN}) AS trials,
            total(outcome = ${BROKEN}) AS broken, total(score) AS score, count(score) AS scored
            FROM trajectories INDEXED BY ${TALLY_INDEX} WHERE provenance <> ${HINDSIGHT}${sql} GROUP BY task
          UNION ALL SELECT task, successes, trials, broken, score, scored FROM deleted WHERE 1${sql}
        ) GROUP BY task`,
        [...values, ...values],
      )
      .map(([task, ...sums]) => {
        const [successes = 0, trials = 0, broken = 0, score = 0, scored = 0] = sums.map(Number);
        return { task: this.#task(task), successes, trials, broken, meanScore: score / scored };
      });
  }

  successes({ filter, each, limit }: Question<'successes'>): readonly IndexedTrajectory[] {
    const { sql, values } = conditionOf({ ...filter, outcomes: ['success'] }, this.#words);
    const order = 'ended DESC, number DESC';
    return this.#rows.found(
      `SELECT number FROM (SELECT number, ended, row_number() OVER (PARTITION BY task, seed ORDER BY ${order}) AS place
        FROM trajectories WHERE 1${sql}) WHERE place <= ? ORDER BY place, ${order} LIMIT ?`,
      [...values, each, limit],
      order,
    );
  }

  volume(): StoreVolume {
    const [[count, bytes] = []] = this.#database.all('SELECT count(*), total(bytes) FROM trajectories');
    return { count: Number(count), bytes: Number(bytes) };
  }

  bytesByRun(): ReadonlyMap<RunId, number> {
    const rows = this.#database.all(
      'SELECT run, total(bytes) FROM trajectories WHERE run IS NOT NULL GROUP BY run',
    );
    return new Map(
      rows.map(([run, bytes]) => [runId(this.#words.wordOf(Number(run))), Number(bytes)] as const),
    );
  }

  kept(): readonly RetentionCandidate[] {
    return this.#database
      .all(
        `SELECT t.id, bytes, outcome, ended, run, m.id IS NOT NULL, in_pool = 1
          FROM trajectories AS t LEFT JOIN marks AS m ON m.id = t.id`,
      )
      .map(([id, bytes, outcome, ended, run, isMarked, isInPool]) => ({
        id: trajectoryId(String(id)),
        bytes: Number(bytes),
        outcome: word('outcome', outcome),
        endedAt: Number(ended),
        ...(run !== null && { run: runId(this.#words.wordOf(Number(run))) }),
        isMarked: isMarked === 1,
        isInPool: isInPool === 1,
      }));
  }

  readonly #task = (number: SqlValue | undefined): TaskId => taskId(this.#words.wordOf(Number(number)));
}

const upToOnly = ({ sql, values }: SqlCondition, upTo: number | undefined): SqlCondition =>
  upTo === undefined ? { sql, values } : { sql: `${sql} AND number <= ?`, values: [...values, upTo] };

/** In minutes since 1970. */
interface Span {
  readonly task: number;
  readonly first: number;
  readonly last: number;
}
