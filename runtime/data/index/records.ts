// Writes trajectories and marks to the tables, and counts episodes.

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

  /** Removes a deleted trajectory, which still counts. Call it once per line of the ledger. */
  async forget(line: LedgerLine): Promise<void> {
    const { id, run, instance, purpose, provenance, outcome, endedAt } = line;
    await this.drop(id);
    await this.#count({
      task: await this.#reader.numberOf(instance.task),
      minute: minuteOf(endedAt),
      purpose: codeOf('purpose', purpose),
      run: run === undefined ? null : await this.#reader.numberOf(run),
      outcome: codeOf('outcome', outcome),
      provenance: codeOf('provenance', provenance),
    });
  }

  /** Removes a trajectory without counting it. */
  drop(id: TrajectoryId): Promise<void> {
    return this.#dropWhere('id = ?', id);
  }

  /** Removes all trajectories of a run. The counts keep the trajectories that retention deleted before. */
  async dropRun(run: RunId): Promise<void> {
    const number = this.#reader.findNumber(run);
    await this.#dropWhere('run = ?', number);
    await this.#database.run('DELETE FROM tallies WHERE run = ? AND trials + broken = 0', [number]);
  }

  async #dropWhere(condition: string, value: SqlValue): Promise<void> {
    await this.#tally(-1, condition, value);
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
    await this.#database.run('UPDATE trajectories SET label = ?, in_pool = ? WHERE id = ?', [
      ...[await this.#labelCode(marks), poolCode(marks), id],
    ]);
    if (kind !== 'verdict') return;
    await this.#tally(-1, 'id = ?', id);
    const [updated] = await this.#database.all(
      'UPDATE trajectories SET outcome = coalesce(?, judged) WHERE id = ? RETURNING outcome, number',
      [verdictCode(marks), id],
    );
    await this.#tally(1, 'id = ?', id);
    if (updated !== undefined)
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
    // An earlier file of the same trajectory.
    await this.#tally(-1, 'id = ?', id);
    const names = Object.keys(columns);
    const [[number = null] = []] = await this.#database.all(
      `INSERT INTO trajectories (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${names.map(name => `${name} = excluded.${name}`).join(', ')} RETURNING number`,
      Object.values(columns),
    );
    await this.#count(columns);
    return { ...columns, number };
  }

  /** Adds an episode to the tallies. */
  async #count({ task, minute, purpose, run, outcome, provenance }: CountedColumns): Promise<void> {
    if (provenance === HINDSIGHT) return;
    await this.#database.run(`INSERT INTO tallies VALUES (?, ?, ?, ?, ?, ?, ?) ${ADDED}`, [
      ...[task, minute, purpose, run ?? 0],
      ...[outcome === SUCCESS, outcome !== BROKEN, outcome === BROKEN].map(Number),
    ]);
  }

  /** Adds the trajectories that match to the tallies, or subtracts them. */
  async #tally(sign: 1 | -1, condition: string, value: SqlValue): Promise<void> {
    const counted = (outcome: string) => `${sign} * count(*) FILTER (WHERE outcome ${outcome})`;
    await this.#database.run(
      `INSERT INTO tallies SELECT task, minute, purpose, coalesce(run, 0),
          ${counted(`= ${SUCCESS}`)}, ${counted(`<> ${BROKEN}`)}, ${counted(`= ${BROKEN}`)}
        FROM trajectories WHERE ${condition} AND provenance <> ${HINDSIGHT}
        GROUP BY task, minute, purpose, coalesce(run, 0) ${ADDED}`,
      [value],
    );
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

const SUCCESS = codeOf('outcome', 'success');
const BROKEN = codeOf('outcome', 'broken');
const HINDSIGHT = codeOf('provenance', 'hindsight');

/** The columns that decide where an episode counts. */
interface CountedColumns {
  readonly task: number;
  readonly minute: number;
  readonly purpose: number;
  readonly run: number | null;
  readonly outcome: number;
  readonly provenance: number;
}

const ADDED = `ON CONFLICT (task, minute, purpose, run) DO UPDATE SET
  ${['successes', 'trials', 'broken'].map(sum => `${sum} = tallies.${sum} + excluded.${sum}`).join(', ')}`;

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

const verdictCode = ({ verdict }: Marked): number | null =>
  verdict === undefined ? null : codeOf('outcome', verdict ? 'success' : 'failure');

const poolCode = ({ isInPool }: Marked): number | null => (isInPool === undefined ? null : Number(isInPool));
