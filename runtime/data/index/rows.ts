// Converts index rows to trajectories. Callers supply the query that selects them.

import { groupId, runId, seed, taskId, trajectoryId, version } from '../../core/ids.ts';
import { type Marked, UNMARKED } from '../files/marks.ts';
import type { Database, SqlValue } from './database.ts';
import type { TextDictionary } from './dictionary.ts';
import type { IndexedTrajectory } from './questions.ts';
import { CODES } from './tables.ts';

/** In the order in which `#row` reads them. */
const COLUMNS = `id, run, team, task, seed, purpose, mode, provenance, outcome, ending, broke, score, steps,
  mean_uncertainty, max_uncertainty, oldest, newest, started, ended, bytes, instruction, marked`;

export class RowReader {
  readonly #database: Database;
  readonly #words: TextDictionary;

  constructor(database: Database, words: TextDictionary) {
    this.#database = database;
    this.#words = words;
  }

  /** The rows with the numbers that are found, in the same order. */
  found(find: string, values: readonly SqlValue[], order: string): readonly IndexedTrajectory[] {
    return this.#database
      .all(
        `SELECT ${COLUMNS} FROM (${find}) JOIN trajectories USING (number) LEFT JOIN marks USING (id)
          ORDER BY ${order}`,
        values,
      )
      .map(row => this.#row(row));
  }

  /** Those with these numbers that are there, in no order. */
  numbered(
    numbers: readonly number[],
  ): readonly { readonly number: number; readonly row: IndexedTrajectory }[] {
    return this.#database
      .all(
        `SELECT ${COLUMNS}, number FROM trajectories LEFT JOIN marks USING (id)
          WHERE number IN (SELECT value FROM json_each(?))`,
        [JSON.stringify(numbers)],
      )
      .map(row => ({ number: Number(row.at(-1)), row: this.#row(row) }));
  }

  #row(values: readonly SqlValue[]): IndexedTrajectory {
    const [id, run, team, task, number, purpose, mode, provenance, outcome, ending, broke, score, ...more] =
      values;
    const [steps, mean, max, oldest, newest, started, ended, bytes, asked, text] = more;
    return {
      id: trajectoryId(String(id)),
      ...(isThere(run) && { run: runId(this.#words.wordOf(Number(run))) }),
      ...(isThere(team) && { group: groupId(String(team)) }),
      instance: { task: taskId(this.#words.wordOf(Number(task))), seed: seed(Number(number)) },
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
      instruction: this.#words.wordOf(Number(asked)),
      ...(typeof text === 'string' ? (JSON.parse(text) as Marked) : UNMARKED),
    };
  }
}

export const isThere = (value: SqlValue | undefined): boolean => value !== null && value !== undefined;

export function word<C extends keyof typeof CODES>(
  of: C,
  code: SqlValue | undefined,
): (typeof CODES)[C][number] {
  const found = CODES[of][Number(code)];
  if (found === undefined)
    throw new RangeError(`The index has no ${of} ${code}: delete it, and it is made anew.`);
  return found;
}
