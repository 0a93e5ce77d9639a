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
  async add(head: TrajectoryHead, bytes: number): Promise<void> {
    const { number, task, outcome, run, agent } = await this.#put(summaryOf(head, bytes), head.instruction);
    // Evaluations never train, so their uncertain steps teach nothing.
    const steps = head.purpose === 'evaluate' ? [] : mostUncertain(head);
    // Those of an earlier file of the same trajectory.
    await this.#database.run('DELETE FROM steps WHERE trajectory = ?', [number]);
    if (steps.length === 0) return;
    await this.#database.run(
      `INSERT INTO steps VALUES ${steps.map(() => STEP_VALUES).join(', ')}`,
      steps.flatMap(({ step, kind, uncertainty, probability, version }) => [
        ...[number, step, task, outcome, run, agent, kind],
        ...[uncertainty, probability].map(share => Math.round(share * SHARE_SCALE)),
        version,
      ]),
    );
  }

  /** Adds a deleted trajectory to the sums of its task. Call it once per line of the ledger. */
  async forget(line: LedgerLine): Promise<void> {
    const { id, run, instance, purpose, provenance, outcome, score, endedAt } = line;
    await this.drop(id);
    if (provenance === 'hindsight') return;
    await this.#database.run(
      `INSERT INTO deleted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (task, minute, purpose, run) DO UPDATE SET
        ${SUMS.map(sum => `${sum} = deleted.${sum} + excluded.${sum}`).join(', ')}`,
      [
        ...[await this.#reader.numberOf(instance.task), minuteOf(endedAt), codeOf('purpose', purpose)],
        run === undefined ? 0 : await this.#reader.numberOf(run),
        ...[outcome === 'success', outcome !== 'broken', outcome === 'broken'].map(Number),
        ...[score ?? 0, Number(score !== undefined)],
      ],
    );
  }

  /** Removes a trajectory without counting it. */
  drop(id: TrajectoryId): Promise<void> {
    return this.#dropWhere('id = ?', id);
  }

  /** Removes all trajectories of a run. The counts keep the trajectories that retention deleted before. */
  dropRun(run: RunId): Promise<void> {
    return this.#dropWhere('run = ?', this.#reader.findNumber(run));
  }

  async #dropWhere(condition: string, value: SqlValue): Promise<void> {
    await this.#database.run(
      `DELETE FROM steps WHERE trajectory IN (SELECT number FROM trajectories WHERE ${condition})`,
      [value],
    );
    await this.#database.run(`DELETE FROM trajectories WHERE ${condition}`, [value]);
  }

  /** The trajectory may be missing, or follow later. */
  async mark(mark: Mark): Promise<void> {
    const { trajectory: id, kind, who } = mark;
    await this.#say(mark);
    const marks = marked(await this.#marksOf(id), mark, who);
    if (isMarked(marks))
      await this.#database.run(
        'INSERT INTO marks VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET marked = excluded.marked',
        [id, JSON.stringify(marks)],
      );
    else await this.#database.run('DELETE FROM marks WHERE id = ?', [id]);
    const [updated] = await this.#database.all(
      `UPDATE trajectories SET outcome = coalesce(?, judged), label = ?, in_pool = ? WHERE id = ?
        RETURNING outcome, number`,
      [verdictCode(marks), await this.#labelCode(marks), poolCode(marks), id],
    );
    if (kind === 'verdict' && updated !== undefined)
      await this.#database.run('UPDATE steps SET outcome = ? WHERE trajectory = ?', updated);
  }

  /** Replaces the earlier one of the same agent. The trajectory may be missing, or follow later. */
  async suggest(suggestion: Suggestion): Promise<void> {
    await this.#database.run(
      `INSERT INTO suggestions VALUES (?, ?, ?)
        ON CONFLICT (id, agent) DO UPDATE SET suggestion = excluded.suggestion`,
      [suggestion.trajectory, suggestion.agent, JSON.stringify(suggestion)],
    );
  }

  /** Adds the mark to all marks, once. */
  async #say(mark: Mark): Promise<void> {
    const values = [mark.trajectory, JSON.stringify(mark)];
    const [before] = await this.#database.all('SELECT 1 FROM said WHERE id = ? AND mark = ?', values);
    if (before !== undefined) return;
    const accepts = Number(mark.kind === 'pool' && mark.isMember === true);
    await this.#database.run('INSERT INTO said (id, mark, accepts) VALUES (?, ?, ?)', [...values, accepts]);
  }

  async #marksOf(id: TrajectoryId): Promise<Marked> {
    const [[json] = []] = await this.#database.all('SELECT marked FROM marks WHERE id = ?', [id]);
    return marksIn(json);
  }

  /** Returns the columns that its steps repeat. */
  async #put(summary: Summary, instruction: string): Promise<StepsColumns> {
    const { id, run, group, instance, ending, broke, agent, replies } = summary;
    const marks = await this.#marksOf(id);
    const judged = codeOf('outcome', summary.outcome);
    const columns = {
      id,
      run: run === undefined ? null : await this.#reader.numberOf(run),
      task: await this.#reader.numberOf(instance.task),
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
      label: await this.#labelCode(marks),
      in_pool: poolCode(marks),
      team: group ?? null,
      instruction: await this.#reader.numberOf(instruction),
      agent: agent === undefined ? 0 : await this.#reader.numberOf(agent),
      estimator: replies === undefined ? null : codeOf('estimator', replies.estimator),
      prompt_tokens: replies?.promptTokens ?? null,
      completion_tokens: replies?.completionTokens ?? null,
      latency: replies?.latencyMs ?? null,
      cost: replies?.cost ?? null,
      malformed: replies?.malformed ?? null,
    } satisfies Readonly<Record<string, SqlValue>>;
    const names = Object.keys(columns);
    const [[number = null] = []] = await this.#database.all(
      `INSERT INTO trajectories (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${names.map(name => `${name} = excluded.${name}`).join(', ')} RETURNING number`,
      Object.values(columns),
    );
    return { ...columns, number };
  }

  async #labelCode({ label }: Marked): Promise<number | null> {
    return label === undefined ? null : await this.#reader.numberOf(label);
  }
}

/** Of a trajectory, which each of its steps repeats. */
interface StepsColumns {
  readonly number: SqlValue;
  readonly task: number;
  readonly outcome: number;
  readonly run: number | null;
  readonly agent: number;
}

const STEP_VALUES = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

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
