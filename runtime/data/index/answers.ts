// Answers the questions, each with a query of its own. Reads only.

import { type RunId, runId, type TaskId, taskId, trajectoryId } from '../../contracts/ids.ts';
import type { Database, SqlValue } from './database.ts';
import { conditionOf } from './filters.ts';
import type { Filter, Kept, Page, Rate, RateAt, Row, TrajectoryIndex, Volume } from './questions.ts';
import { isThere, type Rows, word } from './rows.ts';
import { CODES, HOUR, SORT_COLUMN, TALLY_INDEX } from './tables.ts';
import type { Words } from './words.ts';

type Question<Q extends keyof TrajectoryIndex> = Parameters<TrajectoryIndex[Q]>[0];

const SUCCESS = CODES.outcome.indexOf('success');
const BROKEN = CODES.outcome.indexOf('broken');
const HINDSIGHT = CODES.provenance.indexOf('hindsight');

export class Answers {
  readonly #database: Database;
  readonly #words: Words;
  readonly #rows: Rows;

  constructor(database: Database, words: Words, rows: Rows) {
    this.#database = database;
    this.#words = words;
    this.#rows = rows;
  }

  page({ filter, sort, descending, offset, limit }: Question<'page'>): Page {
    const { sql, values } = conditionOf(filter, this.#words);
    const direction = descending ? 'DESC' : 'ASC';
    const order = [...new Set([SORT_COLUMN[sort], 'ended', 'number'])]
      .map(column => `${column} ${direction}`)
      .join(', ');
    const [[total] = []] = this.#database.all(
      `SELECT count(*) FROM trajectories WHERE kept = 1${sql}`,
      values,
    );
    const rows = this.#rows.found(
      `SELECT number FROM trajectories WHERE kept = 1${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
      [...values, limit, offset],
      order,
    );
    return { total: Number(total), rows };
  }

  row(id: Question<'row'>): Row | undefined {
    return this.#rows.found('SELECT number FROM trajectories WHERE kept = 1 AND id = ?', [id], 'number')[0];
  }

  rates({ filter }: Question<'rates'>): readonly Rate[] {
    return this.#tallies(undefined, filter).map(({ part: _, task, ...tally }) => ({
      task,
      ...rateOf([tally]),
    }));
  }

  ratesOverTime({ filter, span }: Question<'ratesOverTime'>): readonly RateAt[] {
    // Whole hours are in the index, and need not be sorted.
    const isWhole = span % HOUR === 0;
    const parts = isWhole
      ? this.#tallies('hour', filter)
      : this.#tallies('CAST(ended / ? AS INTEGER)', filter, span);
    const spans = new Map<
      string,
      { readonly from: number; readonly task: TaskId; readonly tallies: Tally[] }
    >();
    for (const { part, task, ...tally } of parts) {
      const from = isWhole ? Math.floor((part * HOUR) / span) * span : part * span;
      const key = `${from} ${task}`;
      const known = spans.get(key) ?? { from, task, tallies: [] };
      known.tallies.push(tally);
      spans.set(key, known);
    }
    return [...spans.values()]
      .sort((a, b) => a.from - b.from)
      .map(({ from, task, tallies }) => ({ from, task, ...rateOf(tallies) }));
  }

  /** For each task, and each value of the expression where there is one. */
  #tallies(
    expression: string | undefined,
    filter: Filter,
    ...bound: readonly SqlValue[]
  ): readonly (Tally & { readonly part: number; readonly task: TaskId })[] {
    const { sql, values } = conditionOf(filter, this.#words);
    return this.#database
      .all(
        `SELECT ${expression ?? 0} AS part, task, total(outcome = ${SUCCESS}), total(outcome = ${BROKEN}), count(*),
          total(score), count(score) FROM trajectories INDEXED BY ${TALLY_INDEX}
          WHERE provenance <> ${HINDSIGHT}${sql} GROUP BY task${expression === undefined ? '' : ', part'}`,
        [...bound, ...values],
      )
      .map(([part, task, successes, broken, count, score, scored]) => ({
        part: Number(part),
        task: this.#task(task),
        successes: Number(successes),
        trials: Number(count) - Number(broken),
        broken: Number(broken),
        score: Number(score),
        scored: Number(scored),
      }));
  }

  span({ filter }: Question<'span'>): { readonly from: number; readonly to: number } | undefined {
    const { sql, values } = conditionOf(filter, this.#words);
    const [[from, to] = []] = this.#database.all(
      `SELECT min(ended), max(ended) FROM trajectories WHERE 1${sql}`,
      values,
    );
    return isThere(from) ? { from: Number(from), to: Number(to) } : undefined;
  }

  successes({ filter, each, limit }: Question<'successes'>): readonly Row[] {
    const { sql, values } = conditionOf({ ...filter, outcomes: ['success'] }, this.#words);
    const order = 'ended DESC, number DESC';
    return this.#rows.found(
      `SELECT number FROM (SELECT number, ended, row_number() OVER (PARTITION BY task, seed ORDER BY ${order}) AS place
        FROM trajectories WHERE kept = 1${sql}) WHERE place <= ? ORDER BY ${order} LIMIT ?`,
      [...values, each, limit],
      order,
    );
  }

  volume(): Volume {
    const [[count, bytes] = []] = this.#database.all(
      'SELECT count(*), total(bytes) FROM trajectories WHERE kept = 1',
    );
    return { count: Number(count), bytes: Number(bytes) };
  }

  bytesByRun(): ReadonlyMap<RunId, number> {
    const rows = this.#database.all(
      'SELECT run, total(bytes) FROM trajectories WHERE kept = 1 AND run IS NOT NULL GROUP BY run',
    );
    return new Map(
      rows.map(([run, bytes]) => [runId(this.#words.wordOf(Number(run))), Number(bytes)] as const),
    );
  }

  kept(): readonly Kept[] {
    return this.#database
      .all(
        `SELECT t.id, bytes, outcome, ended, run, m.id IS NOT NULL, in_pool = 1
          FROM trajectories AS t LEFT JOIN marks AS m ON m.id = t.id WHERE kept = 1`,
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

interface Tally {
  readonly successes: number;
  readonly trials: number;
  readonly broken: number;
  /** Of all that have one. */
  readonly score: number;
  readonly scored: number;
}

function rateOf(tallies: readonly Tally[]): Omit<Rate, 'task'> {
  const sum = (name: keyof Tally): number => tallies.reduce((total, tally) => total + tally[name], 0);
  return {
    successes: sum('successes'),
    trials: sum('trials'),
    broken: sum('broken'),
    meanScore: sum('score') / sum('scored'),
  };
}
