// Writes trajectories and marks to the tables, and sums up the trajectories that retention deleted.

import type { RunId, TrajectoryId } from '../../core/ids.ts';
import type { TrajectoryHead } from '../files/head.ts';
import { isMarked, type Mark, type Marked, marked, UNMARKED } from '../files/marks.ts';
import { type LedgerLine, type Summary, summaryOf } from '../files/summary.ts';
import type { Database, SqlValue } from './database.ts';
import type { TextDictionary } from './dictionary.ts';
import { CODES, MINUTE, SHARE, STEPS_KEPT } from './tables.ts';

export class Records {
  readonly #database: Database;
  readonly #words: TextDictionary;

  constructor(database: Database, words: TextDictionary) {
    this.#database = database;
    this.#words = words;
  }

  /** A trajectory whose file is there. */
  add(head: TrajectoryHead, bytes: number): void {
    const summary = summaryOf(head, bytes);
    const number = this.#put(summary, head.instruction);
    // What is measured never trains: whoever looks for the least certain steps looks for those that teach.
    if (head.purpose === 'evaluate') return;
    const { kind, uncertainty, probability, version } = head.steps;
    const task = this.#words.numberOf(head.instance.task);
    const run = head.run === undefined ? null : this.#words.numberOf(head.run);
    const [[outcome = null] = []] = this.#database.all('SELECT outcome FROM trajectories WHERE number = ?', [
      number,
    ]);
    for (const { step, share } of mostUncertain(uncertainty)) {
      this.#database.run('INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', [
        ...[number, step, task, outcome, run, kind[step] ?? 0, Math.round(share * SHARE)],
        ...[Math.round((probability[step] ?? 0) * SHARE), version[step] ?? 0],
      ]);
    }
  }

  /** What retention deleted: of each line once, and it still counts, unless it never did. */
  forget({ id, run, instance, purpose, provenance, outcome, score, endedAt }: LedgerLine): void {
    this.drop(id);
    if (provenance === 'hindsight') return;
    this.#database.run(
      `INSERT INTO deleted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        ${TALLIED.map(sum => `${sum} = ${sum} + excluded.${sum}`).join(', ')}`,
      [
        ...[this.#words.numberOf(instance.task), minuteOf(endedAt), CODES.purpose.indexOf(purpose)],
        run === undefined ? 0 : this.#words.numberOf(run),
        ...[outcome === 'success', outcome !== 'broken', outcome === 'broken'].map(Number),
        ...[score ?? 0, Number(score !== undefined)],
      ],
    );
  }

  /** As if it had never been. */
  drop(id: TrajectoryId): void {
    this.#database.run(
      'DELETE FROM steps WHERE trajectory = (SELECT number FROM trajectories WHERE id = ?)',
      [id],
    );
    this.#database.run('DELETE FROM trajectories WHERE id = ?', [id]);
  }

  /** The files of a run that are gone; what retention had deleted before still counts. */
  dropRun(run: RunId): void {
    const number = this.#words.numberOf(run);
    this.#database.run(
      'DELETE FROM steps WHERE trajectory IN (SELECT number FROM trajectories WHERE run = ?)',
      [number],
    );
    this.#database.run('DELETE FROM trajectories WHERE run = ?', [number]);
  }

  /** Also of a trajectory that is not known, or not yet. */
  mark(mark: Mark): void {
    this.#database.run('INSERT OR IGNORE INTO said (id, mark) VALUES (?, ?)', [
      mark.trajectory,
      JSON.stringify(mark),
    ]);
    const after = marked(this.markedOf(mark.trajectory), mark);
    if (isMarked(after)) {
      this.#database.run('INSERT OR REPLACE INTO marks VALUES (?, ?)', [
        mark.trajectory,
        JSON.stringify(after),
      ]);
    } else this.#database.run('DELETE FROM marks WHERE id = ?', [mark.trajectory]);
    const [known] = this.#database.all('SELECT number, judged FROM trajectories WHERE id = ?', [
      mark.trajectory,
    ]);
    if (known === undefined) return;
    const [number = null, judged = null] = known;
    const outcome = outcomeOf(Number(judged), after);
    this.#database.run('UPDATE trajectories SET outcome = ?, label = ?, in_pool = ? WHERE number = ?', [
      ...[outcome, this.#labelOf(after), poolOf(after), number],
    ]);
    if (mark.kind === 'verdict') {
      this.#database.run('UPDATE steps SET outcome = ? WHERE trajectory = ?', [outcome, number]);
    }
  }

  markedOf(id: TrajectoryId): Marked {
    const [[text] = []] = this.#database.all('SELECT marked FROM marks WHERE id = ?', [id]);
    return typeof text === 'string' ? (JSON.parse(text) as Marked) : UNMARKED;
  }

  #put(summary: Summary, instruction: string): number {
    const { id, run, group, instance } = summary;
    const after = this.markedOf(id);
    const judged = CODES.outcome.indexOf(summary.outcome);
    const code = <K extends 'ending' | 'broke'>(name: K): number | null => {
      const word = summary[name];
      return word === undefined ? null : (CODES[name] as readonly string[]).indexOf(word);
    };
    const columns: Readonly<Record<string, SqlValue>> = {
      id,
      run: run === undefined ? null : this.#words.numberOf(run),
      task: this.#words.numberOf(instance.task),
      seed: instance.seed,
      purpose: CODES.purpose.indexOf(summary.purpose),
      mode: CODES.mode.indexOf(summary.mode),
      provenance: CODES.provenance.indexOf(summary.provenance),
      outcome: outcomeOf(judged, after),
      judged,
      ending: code('ending'),
      broke: code('broke'),
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
      label: this.#labelOf(after),
      in_pool: poolOf(after),
      team: group ?? null,
      instruction: this.#words.numberOf(instruction),
    };
    const names = Object.keys(columns);
    const [[number] = []] = this.#database.all(
      `INSERT INTO trajectories (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${names.map(name => `${name} = excluded.${name}`).join(', ')} RETURNING number`,
      Object.values(columns),
    );
    return Number(number);
  }

  #labelOf({ label }: Marked): number | null {
    return label === undefined ? null : this.#words.numberOf(label);
  }
}

/** Where no policy of ours chose there is nothing to be uncertain about. */
const mostUncertain = (shares: readonly (number | null)[]) =>
  shares
    .flatMap((share, step) => (share === null ? [] : [{ step, share }]))
    .sort((a, b) => b.share - a.share)
    .slice(0, STEPS_KEPT);

const TALLIED = ['successes', 'trials', 'broken', 'score', 'scored'];

const minuteOf = (time: number): number => Math.floor(time / MINUTE);

const outcomeOf = (judged: number, { verdict }: Marked): number =>
  verdict === undefined ? judged : CODES.outcome.indexOf(verdict ? 'success' : 'failure');

const poolOf = ({ isInPool }: Marked): number | null => (isInPool === undefined ? null : Number(isInPool));
