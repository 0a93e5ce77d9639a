// One training from the first second to the last: trains, measures now and then, writes down all that happens, and keeps what was
// learned whatever ends it. What is shown of it is the watch's affair.

import type { Clock } from '../../contracts/world.ts';
import type { Split } from '../../environments/pocket/tasks/suite.ts';
import { type CurvePoint, curveSvg } from './keep/curve-svg.ts';
import { measuredRecord, progressRecord } from './keep/log.ts';
import { encodePolicy } from './keep/policy-file.ts';
import { CURVE_FILE, type RunFolder, SUMMARY_FILE, WEIGHTS_FILE } from './keep/run-folder.ts';
import { type Measured, overall, scoresOf, worstFirst } from './scores.ts';
import type { Watch } from './terminal/watch.ts';
import { type Progress, Training, type TrainingOptions } from './training.ts';

export interface SessionOptions {
  readonly training: Omit<TrainingOptions, 'clock'>;
  readonly tiers: readonly number[];
  readonly seconds: number;
  /** Of each task, at the start; 0 for none. */
  readonly demonstrations: number;
}

export interface Trained {
  readonly seconds: number;
  readonly test: Measured;
  readonly train: Measured;
}

/** Instances of each task: few for the curve, since the player rests meanwhile; more in the end. */
const ON_THE_WAY: Readonly<Record<'test' | 'train', number>> = { test: 4, train: 2 };
const IN_THE_END = 20;

/** Twenty points a curve, but neither all the time nor hardly ever. */
const between = (seconds: number): number => Math.min(60, Math.max(3, seconds / 20));

export class Session {
  readonly #options: SessionOptions;
  readonly #folder: RunFolder;
  readonly #watch: Watch;
  readonly #clock: Clock;
  readonly #training: Training;
  readonly #measured: Measured[] = [];
  #progress: Progress | undefined;
  #asking = false;

  private constructor(
    options: SessionOptions,
    folder: RunFolder,
    watch: Watch,
    clock: Clock,
    training: Training,
  ) {
    this.#options = options;
    this.#folder = folder;
    this.#watch = watch;
    this.#clock = clock;
    this.#training = training;
  }

  static async run(
    options: SessionOptions,
    folder: RunFolder,
    watch: Watch,
    clock: Clock,
    stop: AbortSignal,
  ): Promise<Trained> {
    const training = await Training.open({ ...options.training, clock: stoppable(clock, stop) });
    const session = new Session(options, folder, watch, clock, training);
    try {
      return await session.#run(stop);
    } catch (error) {
      throw await session.#brokenOff(error);
    } finally {
      await training.close();
    }
  }

  async #run(stop: AbortSignal): Promise<Trained> {
    const { seconds, demonstrations } = this.#options;
    if (demonstrations > 0) {
      this.#watch.doing('imitating');
      await this.#training.demonstrate(demonstrations);
    }
    await this.#measure(0, ON_THE_WAY);
    const start = this.#clock.now();
    const passed = () => Math.min(seconds, (this.#clock.now() - start) / 1000);
    this.#watch.doing('exploring');
    this.#watch.runs();
    let measuredAt = 0;
    await this.#training.run(seconds, async () => {
      if (stop.aborted) return;
      this.#watch.doing(this.#isExploring(passed()) ? 'exploring' : 'playing');
      this.#ask(passed());
      // Shortly before the end, the end's own measurement says more.
      const rest = seconds - passed();
      if (passed() - measuredAt < between(seconds) || rest < between(seconds) / 2) return;
      measuredAt = passed();
      await this.#measure(measuredAt, ON_THE_WAY);
    });
    const trained = passed();
    this.#watch.stands(trained);
    await this.#keepWeights();
    this.#watch.doing('measuring');
    await this.#tell(await this.#training.progress(trained));
    const { test, train } = await this.#measure(trained, { test: IN_THE_END, train: IN_THE_END });
    await this.#keepSummary(trained, test, train);
    return { seconds: trained, test, train };
  }

  #isExploring(seconds: number): boolean {
    return seconds < this.#options.training.recipe.explore;
  }

  /** Beside the training, which does not wait for the answer. */
  #ask(seconds: number): void {
    if (this.#asking) return;
    this.#asking = true;
    const answered = async () => {
      await this.#tell(await this.#training.progress(seconds));
      this.#asking = false;
    };
    // Where a process is gone, the training itself says so.
    answered().catch(() => undefined);
  }

  async #tell(progress: Progress): Promise<void> {
    // An answer that was long on its way may be older than the last one.
    if (progress.seconds < (this.#progress?.seconds ?? 0)) return;
    this.#progress = progress;
    this.#watch.counted(progress, progress.seconds);
    await this.#folder.log(progressRecord(progress));
  }

  async #measure(
    seconds: number,
    instances: Readonly<Record<'test' | 'train', number>>,
  ): Promise<{ readonly test: Measured; readonly train: Measured }> {
    const test = await this.#measureOne('test', seconds, instances.test);
    const train = await this.#measureOne('train', seconds, instances.train);
    this.#watch.measured({ seconds, ...overall(test.tasks) });
    await this.#keepWeights();
    await this.#folder.keep(CURVE_FILE, this.#picture());
    return { test, train };
  }

  async #measureOne(split: Split, seconds: number, instances: number): Promise<Measured> {
    const judged = await this.#training.evaluate(split, this.#options.training.tasks, instances);
    const measured = { seconds, split, tasks: scoresOf(judged) };
    this.#measured.push(measured);
    await this.#folder.log(measuredRecord(measured));
    return measured;
  }

  async #brokenOff(cause: unknown): Promise<Error> {
    const message = `The training broke off: ${cause instanceof Error ? cause.message : cause}`;
    try {
      await this.#keepWeights();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return new Error(`${message} What it had learned cannot be kept either: ${reason}`, { cause });
    }
    return new Error(`${message} What it had learned is in ${this.#folder.file(WEIGHTS_FILE)}.`, { cause });
  }

  #keepWeights(): Promise<void> {
    const { shape, mode, tasks, seed } = this.#options.training;
    const weights = Float32Array.from(this.#training.weights.data, Number);
    return this.#folder.keep(WEIGHTS_FILE, encodePolicy({ shape, mode, tasks, seed, weights }));
  }

  #curve(split: Split): readonly CurvePoint[] {
    return this.#measured
      .filter(each => each.split === split)
      .map(({ seconds, tasks }) => ({ seconds, ...overall(tasks) }));
  }

  #picture(): string {
    const { tiers, seconds, training } = this.#options;
    const tier = `${tiers.length > 1 ? 'tiers' : 'tier'} ${tiers.join(', ')}`;
    return curveSvg({
      title: `Pocket desktop, ${tier}, from random weights`,
      subtitle: `${training.tasks.length} tasks · ${training.mode} · seed ${training.seed} · band: 95 % interval, clustered by task`,
      seconds,
      test: this.#curve('test'),
      train: this.#curve('train'),
    });
  }

  async #keepSummary(seconds: number, test: Measured, train: Measured): Promise<void> {
    const { tiers, seconds: asked, demonstrations, training } = this.#options;
    const split = ({ tasks }: Measured) => ({ ...overall(tasks), tasks: worstFirst(tasks) });
    await this.#folder.keepJson(SUMMARY_FILE, {
      format: 'dartboard-summary-1',
      tiers,
      tasks: training.tasks,
      mode: training.mode,
      seed: training.seed,
      demonstrations,
      seconds: { asked, trained: seconds },
      counts: this.#progress && progressRecord(this.#progress),
      test: split(test),
      train: split(train),
      curve: { test: this.#curve('test'), train: this.#curve('train') },
    });
  }
}

/** Once it is told to stop, all time is over on it: whoever works until some moment ends at the next look. */
const stoppable = (clock: Clock, stop: AbortSignal): Clock => ({
  now: () => clock.now() + (stop.aborted ? FOREVER : 0),
  sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
});
const FOREVER = 1e12;
