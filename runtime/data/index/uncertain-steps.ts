// Finds the most uncertain decisions. Read-only.

import { runId, seed, taskId, trajectoryId, version } from '../../core/ids.ts';
import type { Database, SqlValue } from './database.ts';
import type { TextDictionary } from './dictionary.ts';
import { stepConditionOf } from './filters.ts';
import type { StepFilter, StepRow, TrajectoryIndex } from './questions.ts';
import { isThere, word } from './rows.ts';
import { CODES, SHARE } from './tables.ts';

/** From so many of each outcome those of each task or outcome are taken: enough to show, and read in no time. */
const LOOKED_AT = 3000;

/** As it stands in the table: numbers for words. */
interface Found {
  readonly trajectory: number;
  readonly step: number;
  readonly task: number;
  readonly outcome: number;
  readonly uncertainty: number;
}

export class UncertainSteps {
  readonly #database: Database;
  readonly #words: TextDictionary;

  constructor(database: Database, words: TextDictionary) {
    this.#database = database;
    this.#words = words;
  }

  steps({ filter, by, offset, limit }: Parameters<TrajectoryIndex['steps']>[0]): readonly StepRow[] {
    const wanted = by === undefined ? offset + limit : LOOKED_AT;
    const outcomes = filter.outcomes ?? CODES.outcome;
    const found = outcomes
      .flatMap(outcome => this.#of(CODES.outcome.indexOf(outcome), filter, wanted))
      .sort((a, b) => b.uncertainty - a.uncertainty || b.trajectory - a.trajectory || b.step - a.step);
    return this.#told(by === undefined ? found.slice(offset, offset + limit) : someOfEach(by, limit, found));
  }

  /** Of one outcome, the most uncertain first. */
  #of(outcome: number, filter: StepFilter, limit: number): readonly Found[] {
    const { sql, values } = stepConditionOf(filter, this.#words);
    return this.#database
      .all(
        `SELECT trajectory, step, task, uncertainty FROM steps WHERE outcome = ?${sql}
          ORDER BY uncertainty DESC, trajectory DESC, step DESC LIMIT ?`,
        [outcome, ...values, limit],
      )
      .map(([trajectory, step, task, uncertainty]) => ({
        ...{ trajectory: Number(trajectory), step: Number(step), task: Number(task) },
        ...{ uncertainty: Number(uncertainty), outcome },
      }));
  }

  /** In the same order. */
  #told(found: readonly Found[]): readonly StepRow[] {
    const pairs = found.map(({ trajectory, step }) => [trajectory, step]);
    return this.#database
      .all(
        `SELECT t.id, t.run, t.task, seed, instruction, s.outcome, s.step, s.kind, s.uncertainty, s.probability, s.version
          FROM json_each(?) AS pair
          JOIN steps AS s ON s.trajectory = json_extract(pair.value, '$[0]') AND s.step = json_extract(pair.value, '$[1]')
          JOIN trajectories AS t ON t.number = s.trajectory ORDER BY pair.key`,
        [JSON.stringify(pairs)],
      )
      .map(row => this.#row(row));
  }

  #row(values: readonly SqlValue[]): StepRow {
    const [id, run, task, number, asked, outcome, step, kind, uncertainty, probability, by] = values;
    return {
      trajectory: trajectoryId(String(id)),
      ...(isThere(run) && { run: runId(this.#words.wordOf(Number(run))) }),
      instance: { task: taskId(this.#words.wordOf(Number(task))), seed: seed(Number(number)) },
      instruction: this.#words.wordOf(Number(asked)),
      outcome: word('outcome', outcome),
      step: Number(step),
      kind: word('kind', kind),
      uncertainty: Number(uncertainty) / SHARE,
      probability: Number(probability) / SHARE,
      version: version(Number(by)),
    };
  }
}

/** At most so many of each, in their order. */
function someOfEach(by: 'task' | 'outcome', limit: number, found: readonly Found[]): readonly Found[] {
  const counts = new Map<number, number>();
  return found.filter(each => {
    const count = counts.get(each[by]) ?? 0;
    counts.set(each[by], count + 1);
    return count < limit;
  });
}
