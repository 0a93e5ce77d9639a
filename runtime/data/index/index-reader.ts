// Converts rows of the tables to trajectories, and texts to the numbers that replace them in the tables.

import { groupId, runId, seed, type TrajectoryId, taskId, trajectoryId, version } from '../../core/ids.ts';
import { type Marked, UNMARKED } from '../files/marks.ts';
import type { Database, SqlValue } from './database.ts';
import type { IndexedTrajectory } from './queries.ts';
import { CODES } from './tables.ts';

/** In the order in which `#trajectory` reads them. */
const COLUMNS = `id, run, team, task, seed, purpose, mode, provenance, outcome, ending, broke, score, steps,
  mean_uncertainty, max_uncertainty, oldest, newest, started, ended, bytes, instruction, marked,
  agent, estimator, prompt_tokens, completion_tokens, latency, cost, malformed`;

export class IndexReader {
  readonly database: Database;
  readonly #numbers = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  /** The largest number in use. There can be more numbers than texts: SQLite changes some texts, and two can become equal. */
  #largest = 0;

  private constructor(database: Database) {
    this.database = database;
  }

  static async open(database: Database): Promise<IndexReader> {
    const reader = new IndexReader(database);
    for (const [number, text] of await database.all('SELECT number, word FROM words'))
      reader.#remember(Number(number), String(text));
    return reader;
  }

  /** The number of a text; an unknown text gets a new one. */
  async numberOf(text: string): Promise<number> {
    const existing = this.#numbers.get(text);
    if (existing !== undefined) return existing;
    const number = this.#largest + 1;
    await this.database.run('INSERT INTO words VALUES (?, ?)', [number, text]);
    this.#remember(number, text);
    return number;
  }

  /** For conditions. An unknown text has the number -1, which matches no row. */
  findNumber(text: string): number {
    return this.#numbers.get(text) ?? -1;
  }

  /** The numbers of all texts that contain this one, in upper or lower case. */
  findNumbers(part: string): readonly number[] {
    const wanted = part.toLowerCase();
    const found: number[] = [];
    for (const [number, text] of this.#texts) if (text.toLowerCase().includes(wanted)) found.push(number);
    return found;
  }

  textOf(number: SqlValue | undefined): string {
    const text = this.#texts.get(Number(number));
    if (text === undefined) throw damaged(`text ${number}`);
    return text;
  }

  /** The trajectories whose `number` the query `select` returns. */
  async trajectories(
    select: string,
    values: readonly SqlValue[],
    order = 'number',
  ): Promise<readonly IndexedTrajectory[]> {
    const rows = await this.database.all(
      `SELECT ${COLUMNS} FROM (${select}) AS selected JOIN trajectories USING (number) LEFT JOIN marks USING (id)
        ORDER BY ${order}`,
      values,
    );
    return rows.map(row => this.#trajectory(row));
  }

  /** The existing trajectories among these numbers. */
  async byNumber(numbers: readonly number[]): Promise<ReadonlyMap<number, IndexedTrajectory>> {
    const rows = await this.database.all(
      `SELECT ${COLUMNS}, number FROM trajectories LEFT JOIN marks USING (id)
        WHERE number IN (${this.database.dialect.numbers})`,
      [JSON.stringify(numbers)],
    );
    return new Map(rows.map(row => [Number(row.at(-1)), this.#trajectory(row)]));
  }

  /** The existing trajectories among these ids, in their order. */
  async byId(ids: readonly TrajectoryId[]): Promise<readonly IndexedTrajectory[]> {
    const rows = await this.database.all(
      `SELECT ${COLUMNS} FROM ${this.database.dialect.placedTexts} AS listed
        JOIN trajectories ON id = wanted LEFT JOIN marks USING (id) ORDER BY place`,
      [JSON.stringify(ids)],
    );
    return rows.map(row => this.#trajectory(row));
  }

  #remember(number: number, text: string): void {
    this.#largest = Math.max(this.#largest, number);
    this.#numbers.set(text, number);
    this.#texts.set(number, text);
  }

  #trajectory(values: readonly SqlValue[]): IndexedTrajectory {
    const [id, run, group, task, instanceSeed, purpose, mode, provenance, outcome, ending, broke, ...rest] =
      values;
    const [
      score,
      steps,
      mean,
      max,
      oldest,
      newest,
      started,
      ended,
      bytes,
      instruction,
      marks,
      agent,
      ...replies
    ] = rest;
    const totals = repliesIn(replies);
    return {
      id: trajectoryId(String(id)),
      ...(isPresent(run) && { run: runId(this.textOf(run)) }),
      ...(isPresent(group) && { group: groupId(String(group)) }),
      instance: { task: taskId(this.textOf(task)), seed: seed(Number(instanceSeed)) },
      purpose: decoded('purpose', purpose),
      mode: decoded('mode', mode),
      provenance: decoded('provenance', provenance),
      outcome: decoded('outcome', outcome),
      ...(isPresent(ending) && { ending: decoded('ending', ending) }),
      ...(isPresent(score) && { score: Number(score) }),
      ...(isPresent(broke) && { broke: decoded('broke', broke) }),
      ...(agent !== 0 && { agent: this.textOf(agent) }),
      steps: Number(steps),
      ...(totals !== undefined && { replies: totals }),
      ...(isPresent(mean) && { meanUncertainty: Number(mean) }),
      ...(isPresent(max) && { maxUncertainty: Number(max) }),
      ...(isPresent(oldest) && { oldest: version(Number(oldest)) }),
      ...(isPresent(newest) && { newest: version(Number(newest)) }),
      startedAt: Number(started),
      endedAt: Number(ended),
      bytes: Number(bytes),
      instruction: this.textOf(instruction),
      ...marksIn(marks),
    };
  }
}

/** Undefined if no language model played. */
export function repliesIn([estimator, prompt, completion, latency, cost, malformed]: readonly SqlValue[]) {
  if (!isPresent(estimator)) return undefined;
  return {
    estimator: decoded('estimator', estimator),
    promptTokens: Number(prompt),
    completionTokens: Number(completion),
    latencyMs: Number(latency),
    ...(isPresent(cost) && { cost: Number(cost) }),
    malformed: Number(malformed),
  };
}

/** The current marks in a row of the table `marks`. */
export const marksIn = (json: SqlValue | undefined): Marked =>
  typeof json === 'string' ? (JSON.parse(json) as Marked) : UNMARKED;

export const isPresent = (value: SqlValue | undefined): boolean => value !== null && value !== undefined;

export function decoded<C extends keyof typeof CODES>(
  column: C,
  code: SqlValue | undefined,
): (typeof CODES)[C][number] {
  const value = CODES[column][Number(code)];
  if (value === undefined) throw damaged(`${column} ${code}`);
  return value;
}

const damaged = (missing: string): RangeError =>
  new RangeError(
    `The trajectory index is damaged: it has no ${missing}. Delete the files index.sqlite and workspace.json in the folder of the runs, and restart; the index is rebuilt.`,
  );
