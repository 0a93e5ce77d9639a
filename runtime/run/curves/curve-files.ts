// Writes the curves and metrics of a run as CSV, as TensorBoard events and as a picture. Each evaluation is written once, also when a run is
// resumed.

import { join } from 'node:path';
import { type Disk, nodeDisk } from '../../core/disk.ts';
import { DurableFolder } from '../../data/files/durable.ts';
import { type EvaluationPoint, isOver, type RunState, runState } from '../../protocol/daemon/state.ts';
import type { MeasuredPoints } from '../run-state.ts';
import { CsvFile, readCsv } from './csv.ts';
import { metricsOf, successOf } from './metrics.ts';
import { pictureOf } from './picture.ts';
import { EventFile } from './tensorboard.ts';

const CURVE = 'curve.csv';
const METRICS = 'metrics.csv';
const PICTURE = 'curve.svg';
/** The log folder for TensorBoard. */
const EVENTS = 'tensorboard';

/** Seconds of training between two rows of metrics. The interval grows, since a row per second would be gigabytes in a week. */
const rowInterval = (seconds: number): number => Math.max(0.5, seconds / 3600);

const CURVE_COLUMNS = [
  ...['seconds', 'steps', 'split', 'version', 'successes', 'trials', 'rate', 'low', 'high'],
  ...['score', 'broken'],
];

/** The measurements of curve.csv. Throws when a row is not a measurement. */
export async function readCurve(folder: string): Promise<readonly EvaluationPoint[]> {
  const rows = await readCsv(join(folder, CURVE));
  return rows.map(row => {
    const entries = Object.entries(row).filter(([, value]) => value !== '');
    return runState.shape.curve.element.parse(
      Object.fromEntries(entries.map(([name, value]) => [name, name === 'split' ? value : Number(value)])),
    );
  });
}

export class CurveFiles {
  readonly #curve: CsvFile;
  readonly #metrics: CsvFile;
  readonly #events: EventFile;
  readonly #folder: DurableFolder;
  /** The number of evaluations in the table, and in the events, of this and earlier starts. */
  #listed: number;
  #charted: number;
  /** The number of evaluations in the picture. */
  #drawn = 0;
  /** The seconds of the last row of metrics. */
  #noted = Number.NEGATIVE_INFINITY;
  /** States are written one at a time, to keep the order of rows. */
  #last: Promise<void> = Promise.resolve();

  private constructor(folder: string, curve: CsvFile, metrics: CsvFile, events: EventFile) {
    this.#folder = new DurableFolder(folder);
    this.#curve = curve;
    this.#metrics = metrics;
    this.#events = events;
    this.#listed = curve.rows;
    this.#charted = curve.rows;
  }

  /** Continues the files of a run. Keeps `known` evaluations: the run repeats later ones, which its saved state lacks. */
  static async open(folder: string, now: number, known?: number, disk: Disk = nodeDisk): Promise<CurveFiles> {
    const curve = await CsvFile.open(join(folder, CURVE), CURVE_COLUMNS, known, disk);
    const metrics = await CsvFile.open(join(folder, METRICS), ['seconds'], undefined, disk);
    return new CurveFiles(folder, curve, metrics, await EventFile.create(join(folder, EVENTS), now, disk));
  }

  /** Writes new evaluations and a row of metrics: one per second in the first hour, fewer later. */
  take(state: RunState, now: number, measured: MeasuredPoints): Promise<void> {
    const written = this.#last.then(() => this.#write(state, now, measured));
    // The caller gets the error; the next state is written anyway.
    this.#last = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#events.close();
  }

  async #write(state: RunState, now: number, { before, points }: MeasuredPoints): Promise<void> {
    // Counted apart: after a failure of one file, the other must not get a point again.
    this.#listed = Math.max(this.#listed, before);
    for (const point of points.slice(this.#listed - before)) {
      await this.#curve.append(point);
      this.#listed += 1;
    }
    this.#charted = Math.max(this.#charted, before);
    for (const point of points.slice(this.#charted - before)) {
      const ended = now - 1000 * (state.seconds - point.seconds);
      await this.#events.append(ended, point.version, successOf(point));
      this.#charted += 1;
    }
    await this.#draw(state, before + points.length);
    const { seconds } = state;
    if (seconds - this.#noted < rowInterval(seconds) && !isOver(state)) return;
    this.#noted = seconds;
    const metrics = metricsOf(state);
    await this.#metrics.append({ seconds, ...metrics });
    await this.#events.append(now, state.trainer.version, metrics);
  }

  async #draw(state: RunState, evaluations: number): Promise<void> {
    if (evaluations === this.#drawn) return;
    await this.#folder.write(PICTURE, new TextEncoder().encode(pictureOf(state)));
    this.#drawn = evaluations;
  }
}
