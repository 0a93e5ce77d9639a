// Answers the questions, each with a query of its own. Reads only.

import { groupId, runId, seed, type TaskId, taskId, trajectoryId, version } from '../../contracts/ids.ts';
import { type Marked, UNMARKED } from '../files/marks.ts';
import type { Database, SqlValue } from './database.ts';
import { conditionOf, stepConditionOf } from './filters.ts';
import type {
  Count,
  Filter,
  Kept,
  Page,
  Rate,
  RateAt,
  Row,
  StepRow,
  TrajectoryIndex,
  Volume,
} from './questions.ts';
import { CODES, HOUR, SHARE, SORT_COLUMN, TALLY_INDEX } from './tables.ts';
import type { Words } from './words.ts';

type Question<Q extends keyof TrajectoryIndex> = Parameters<TrajectoryIndex[Q]>[0];

const SUCCESS = CODES.outcome.indexOf('success');
const BROKEN = CODES.outcome.indexOf('broken');
const HINDSIGHT = CODES.provenance.indexOf('hindsight');
const EVALUATE = CODES.purpose.indexOf('evaluate');

/** In the order in which `#row` reads them. */
const COLUMNS = `id, run, team, task, seed, purpose, mode, provenance, outcome, ending, broke, score, steps,
  mean_uncertainty, max_uncertainty, oldest, newest, started, ended, bytes, marked`;

export class Answers {
  readonly #database: Database;
  readonly #words: Words;

  constructor(database: Database, words: Words) {
    this.#database = database;
    this.#words = words;
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
    const rows = this.#rows(
      `SELECT number FROM trajectories WHERE kept = 1${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
      [...values, limit, offset],
      order,
    );
    return { total: Number(total), rows };
  }

  row(id: Question<'row'>): Row | undefined {
    return this.#rows('SELECT number FROM trajectories WHERE kept = 1 AND id = ?', [id], 'number')[0];
  }

  steps({ filter, offset, limit }: Question<'steps'>): readonly StepRow[] {
    const { sql, values } = stepConditionOf(filter, this.#words);
    const order = 'uncertainty DESC, trajectory DESC, step DESC';
    return this.#database
      .all(
        `SELECT id, t.task, seed, s.outcome, step, s.kind, uncertainty, probability, version FROM
          (SELECT * FROM steps WHERE 1${sql} ORDER BY ${order} LIMIT ? OFFSET ?) AS s
          JOIN trajectories AS t ON t.number = s.trajectory ORDER BY ${order}`,
        [...values, limit, offset],
      )
      .map(([id, task, number, outcome, step, kind, uncertainty, probability, by]) => ({
        trajectory: trajectoryId(String(id)),
        instance: { task: this.#task(task), seed: seed(Number(number)) },
        outcome: word('outcome', outcome),
        step: Number(step),
        kind: word('kind', kind),
        uncertainty: Number(uncertainty) / SHARE,
        probability: Number(probability) / SHARE,
        version: version(Number(by)),
      }));
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

  counts({ filter }: Question<'counts'>): readonly Count[] {
    const { sql, values } = conditionOf(filter, this.#words);
    return this.#database
      .all(
        `SELECT purpose, outcome, count(*) FROM trajectories WHERE 1${sql} GROUP BY purpose, outcome`,
        values,
      )
      .map(([purpose, outcome, count]) => ({
        purpose: word('purpose', purpose),
        outcome: word('outcome', outcome),
        count: Number(count),
      }));
  }

  latestSuccesses({ instance, limit }: Question<'latestSuccesses'>): readonly Row[] {
    const order = 'ended DESC, number DESC';
    return this.#rows(
      `SELECT number FROM trajectories WHERE task = ? AND seed = ? AND kept = 1 AND outcome = ${SUCCESS}
        AND purpose <> ${EVALUATE} AND (in_pool = 1 OR (in_pool IS NULL AND provenance <> ${HINDSIGHT}))
        ORDER BY ${order} LIMIT ?`,
      [this.#words.known(instance.task), instance.seed, limit],
      order,
    );
  }

  volume(): Volume {
    const [[count, bytes] = []] = this.#database.all(
      'SELECT count(*), total(bytes) FROM trajectories WHERE kept = 1',
    );
    return { count: Number(count), bytes: Number(bytes) };
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

  /** The rows with the numbers that are found, in the same order. */
  #rows(find: string, values: readonly SqlValue[], order: string): readonly Row[] {
    return this.#database
      .all(
        `SELECT ${COLUMNS} FROM (${find}) JOIN trajectories USING (number) LEFT JOIN marks USING (id)
          ORDER BY ${order}`,
        values,
      )
      .map(row => this.#row(row));
  }

  #row(values: readonly SqlValue[]): Row {
    const [id, run, team, task, number, purpose, mode, provenance, outcome, ending, broke, score, ...more] =
      values;
    const [steps, mean, max, oldest, newest, started, ended, bytes, text] = more;
    return {
      id: trajectoryId(String(id)),
      ...(isThere(run) && { run: runId(this.#words.wordOf(Number(run))) }),
      ...(isThere(team) && { group: groupId(String(team)) }),
      instance: { task: this.#task(task), seed: seed(Number(number)) },
      purpose: word('purpose', purpose),
      mode: word('mode', mode),
      provenance: word('provenance', provenance),
      outcome: word('outcome', outcome),
      ...(isThere(ending) && { ending: word('ending', ending) }),
      ...(isThere(score) && { score: Number(score) }),
      ...(isThere(broke) && { broke: word('broke', broke) }),
      steps: Number(steps),
      ...(isThere(mean) && { meanUncertainty: Number(mean) }),
      ...(isThere(max) && { maxUncertainty: Number(max) }),
      ...(isThere(oldest) && { oldest: version(Number(oldest)) }),
      ...(isThere(newest) && { newest: version(Number(newest)) }),
      startedAt: Number(started),
      endedAt: Number(ended),
      bytes: Number(bytes),
      ...(typeof text === 'string' ? (JSON.parse(text) as Marked) : UNMARKED),
    };
  }

  readonly #task = (number: SqlValue | undefined): TaskId => taskId(this.#words.wordOf(Number(number)));
}

const isThere = (value: SqlValue | undefined): boolean => value !== null && value !== undefined;

function word<C extends keyof typeof CODES>(of: C, code: SqlValue | undefined): (typeof CODES)[C][number] {
  const found = CODES[of][Number(code)];
  if (found === undefined)
    throw new RangeError(`The index has no ${of} ${code}: delete it, and it is made anew.`);
  return found;
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
