// Writes trajectories and marks to the tables, and sums the trajectories that retention deleted.

import type { RunId, TrajectoryId } from '../../core/ids.ts';
import type { TrajectoryHead } from '../files/head.ts';
import { isMarked, type Mark, type Marked, marked } from '../files/marks.ts';
import type { Suggestion } from '../files/suggestions.ts';
import { type LedgerLine, type Summary, summaryOf } from '../files/summary.ts';
import type { Database, SqlValue } from './database.ts';
import { type IndexReader, marksIn } from './index-reader.ts';
import { codeOf, MINUTE_MS, SHARE_SCALE, STEPS_KEPT } from './tables.ts';

export class Records {
  readonly #database: Database;
  readonly #reader: IndexReader;

  constructor(reader: IndexReader) {
    this.#database = reader.database;
    this.#reader = reader;
  }

  /** Adds or replaces a trajectory whose file exists. */
  add(head: TrajectoryHead, bytes: number): void {
    const summary = summaryOf(head, bytes);
    const number = this.#put(summary, head.instruction);
    // Evaluations never train, so their uncertain steps teach nothing.
    if (head.purpose === 'evaluate') return;
    for (const { step, kind, uncertainty, probability, version } of mostUncertain(head))
      this.#database.run(
        `INSERT OR REPLACE INTO steps
          SELECT number, ?, task, outcome, run, agent, ?, ?, ?, ? FROM trajectories WHERE number = ?`,
        [
          step,
          kind,
          Math.round(uncertainty * SHARE_SCALE),
          Math.round(probability * SHARE_SCALE),
          version,
          number,
        ],
      );
  }

  /** Adds a deleted trajectory to the sums of its task. Call it once per line of the ledger. */
  forget({ id, run, instance, purpose, provenance, outcome, score, endedAt }: LedgerLine): void {
    this.drop(id);
    if (provenance === 'hindsight') return;
    this.#database.run(
      `INSERT INTO deleted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        ${SUMS.map(sum => `${sum} = ${sum} + excluded.${sum}`).join(', ')}`,
      [
        ...[this.#reader.numberOf(instance.task), minuteOf(endedAt), codeOf('purpose', purpose)],
        run === undefined ? 0 : this.#reader.numberOf(run),
        ...[outcome === 'success', outcome !== 'broken', outcome === 'broken'].map(Number),
        ...[score ?? 0, Number(score !== undefined)],
      ],
    );
  }

  /** Removes a trajectory without counting it. */
  drop(id: TrajectoryId): void {
    this.#dropWhere('id = ?', id);
  }

  /** Removes all trajectories of a run. The counts keep the trajectories that retention deleted before. */
  dropRun(run: RunId): void {
    this.#dropWhere('run = ?', this.#reader.numberOf(run));
  }

  #dropWhere(condition: string, value: SqlValue): void {
    this.#database.run(
      `DELETE FROM steps WHERE trajectory IN (SELECT number FROM trajectories WHERE ${condition})`,
      [value],
    );
    this.#database.run(`DELETE FROM trajectories WHERE ${condition}`, [value]);
  }

  /** The trajectory may be missing, or follow later. */
  mark(mark: Mark): void {
    const { trajectory: id, kind, who } = mark;
    this.#database.run('INSERT OR IGNORE INTO said (id, mark) VALUES (?, ?)', [id, JSON.stringify(mark)]);
    const marks = marked(this.#marksOf(id), mark, who);
    if (isMarked(marks))
      this.#database.run('INSERT OR REPLACE INTO marks VALUES (?, ?)', [id, JSON.stringify(marks)]);
    else this.#database.run('DELETE FROM marks WHERE id = ?', [id]);
    const [updated] = this.#database.all(
      `UPDATE trajectories SET outcome = coalesce(?, judged), label = ?, in_pool = ? WHERE id = ?
        RETURNING outcome, number`,
      [verdictCode(marks), this.#labelCode(marks), poolCode(marks), id],
    );
    if (kind === 'verdict' && updated !== undefined)
      this.#database.run('UPDATE steps SET outcome = ? WHERE trajectory = ?', updated);
  }

  /** Replaces the earlier one of the same agent. The trajectory may be missing, or follow later. */
  suggest(suggestion: Suggestion): void {
    this.#database.run('INSERT OR REPLACE INTO suggestions VALUES (?, ?, ?)', [
      ...[suggestion.trajectory, suggestion.agent, JSON.stringify(suggestion)],
    ]);
  }

  #marksOf(id: TrajectoryId): Marked {
    const [[json] = []] = this.#database.all('SELECT marked FROM marks WHERE id = ?', [id]);
    return marksIn(json);
  }

  /** Returns the number of the trajectory. */
  #put(summary: Summary, instruction: string): SqlValue {
    const { id, run, group, instance, ending, broke, agent, replies } = summary;
    const marks = this.#marksOf(id);
    const judged = codeOf('outcome', summary.outcome);
    const columns: Readonly<Record<string, SqlValue>> = {
      id,
      run: run === undefined ? null : this.#reader.numberOf(run),
      task: this.#reader.numberOf(instance.task),
      seed: instance.seed,
      purpose: codeOf('purpose', summary.purpose),
      mode: codeOf('mode', summary.mode),
      provenance: codeOf('provenance', summary.provenance),
      outcome: verdictCode(marks) ?? judged,
      judged,
      ending: ending === undefined ? null : codeOf('ending', ending),
      broke: broke === undefined ? null : codeOf('broke', broke),
      score: summary.score ?? null,
      steps: summary.steps,
      mean_uncertainty: summary.meanUncertainty ?? null,
      max_uncertainty: summary.maxUncertainty ?? null,
      oldest: summary.oldest ?? null,
      newest: summary.newest ?? null,
      started: summary.startedAt,
      ended: summary.endedAt,
      minute: minuteOf(summary.endedAt),
      bytes: summary.bytes,
      label: this.#labelCode(marks),
      in_pool: poolCode(marks),
      team: group ?? null,
      instruction: this.#reader.numberOf(instruction),
      agent: agent === undefined ? 0 : this.#reader.numberOf(agent),
      estimator: replies === undefined ? null : codeOf('estimator', replies.estimator),
      prompt_tokens: replies?.promptTokens ?? null,
      completion_tokens: replies?.completionTokens ?? null,
      latency: replies?.latencyMs ?? null,
      cost: replies?.cost ?? null,
      malformed: replies?.malformed ?? null,
    };
    const names = Object.keys(columns);
    const [[number = null] = []] = this.#database.all(
      `INSERT INTO trajectories (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${names.map(name => `${name} = excluded.${name}`).join(', ')} RETURNING number`,
      Object.values(columns),
    );
    return number;
  }

  #labelCode({ label }: Marked): number | null {
    return label === undefined ? null : this.#reader.numberOf(label);
  }
}

/** Excludes steps that no policy chose. */
const mostUncertain = ({ steps: { kind: kinds, ...columns } }: TrajectoryHead) =>
  kinds
    .flatMap((kind, step) => {
      const [uncertainty, probability, version] = [
        columns.uncertainty[step] ?? undefined,
        columns.probability[step] ?? undefined,
        columns.version[step] ?? undefined,
      ];
      return uncertainty === undefined || probability === undefined || version === undefined
        ? []
        : [{ step, kind, uncertainty, probability, version }];
    })
    .sort((a, b) => b.uncertainty - a.uncertainty)
    .slice(0, STEPS_KEPT);

const SUMS = ['successes', 'trials', 'broken', 'score', 'scored'];

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

const verdictCode = ({ verdict }: Marked): number | null =>
  verdict === undefined ? null : codeOf('outcome', verdict ? 'success' : 'failure');

const poolCode = ({ isInPool }: Marked): number | null => (isInPool === undefined ? null : Number(isInPool));
