// Evaluates the policy beside training, which does not wait: periodically on a few instances of each task, and at the end on many.

import type { Config } from '../config/config.ts';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { TaskId, Version } from '../core/ids.ts';
import type { Weights } from '../core/policy.ts';
import { retry } from '../core/retry.ts';
import type { Evaluations } from '../data/evaluation.ts';
import type { Suite, TaskSplit } from '../environments/suite.ts';
import type { Fabric } from '../fabric/fabric.ts';
import type { EvaluationPoint } from '../protocol/daemon/state.ts';

export interface EvaluatedRun {
  trainedSeconds(): number;
  trainedSteps(): number;
  isRunning(): boolean;
  /** Resolves when the point is stored. */
  evaluated(point: EvaluationPoint): Promise<void>;
}

export interface EvaluatorOptions {
  readonly config: Config;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  readonly fabric: Pick<Fabric, 'averaged' | 'evaluated' | 'events'>;
  readonly evaluations: Pick<Evaluations, 'measure'>;
  readonly clock: Clock;
  /** Stores evaluated weights, as float32 bytes. */
  readonly keepWeights: (mean: Uint8Array, version: Version) => Promise<void>;
  readonly progress: EvaluatedRun;
  /** The number of evaluations before the run was resumed. */
  readonly before: number;
}

const POLL_INTERVAL_MS = 250;
/** The longest wait for the end of an episode, which takes minutes. */
const MAX_IDLE_MINUTES = 60;
/** Of stored trajectories, of which there may be thousands. */
const MAX_STORED = 200;

export class RunEvaluator {
  readonly #options: EvaluatorOptions;
  /** The time since an episode has ended. */
  #idleMs = 0;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  /** Evaluates until the training time is over or the signal is aborted. */
  async evaluatePeriodically(signal: AbortSignal): Promise<void> {
    const { clock, config, fabric, progress, before } = this.#options;
    const { everySeconds, instances } = config.evaluation;
    const end = 60 * config.minutes;
    let measuredAt = before === 0 ? undefined : progress.trainedSeconds();
    const isTime = async () => {
      if (!progress.isRunning()) return false;
      // The first weights are evaluated first. The trainer publishes them a moment after it is ready.
      if (measuredAt === undefined) return (await fabric.averaged.get()) !== undefined;
      // The final evaluation is larger, so none starts shortly before it.
      return (
        progress.trainedSeconds() - measuredAt >= everySeconds &&
        end - progress.trainedSeconds() >= everySeconds / 2
      );
    };
    while (!signal.aborted && progress.trainedSeconds() < end) {
      if (await isTime()) {
        measuredAt = progress.trainedSeconds();
        await this.evaluate(instances, signal);
      } else await sleepUnlessAborted(clock, POLL_INTERVAL_MS, signal);
    }
  }

  episodeEnded(): void {
    this.#idleMs = 0;
  }

  /** Resolves when no episode has ended for an hour, which it reports, or after the signal: desktops may never work again. */
  async untilGivenUp(signal: AbortSignal): Promise<void> {
    this.#idleMs = 0;
    while (this.#idleMs < 60_000 * MAX_IDLE_MINUTES) {
      await sleepUnlessAborted(this.#options.clock, POLL_INTERVAL_MS, signal);
      if (signal.aborted) return;
      // Adds up waits, since the machine may sleep.
      this.#idleMs += POLL_INTERVAL_MS;
    }
    this.#report(
      'evaluation',
      false,
      `No episode of the evaluation has ended for ${MAX_IDLE_MINUTES} minutes, so the run ends without it. Remove the causes that the other problems name, then evaluate with 'dartboard eval'.`,
    );
  }

  /** Stores the newest weights, evaluated or not. */
  async keepNewest(): Promise<void> {
    const newest = await this.#options.fabric.averaged.get();
    if (newest !== undefined) await this.#options.keepWeights(newest.blob, newest.version);
  }

  /** Evaluates the mean of the newest weights on test instances, and on half as many training instances. */
  async evaluate(instances: number, signal: AbortSignal): Promise<void> {
    const { fabric, progress } = this.#options;
    const newest = await fabric.averaged.get();
    if (newest === undefined) return;
    const { version } = newest;
    const [seconds, steps] = [progress.trainedSeconds(), progress.trainedSteps()];
    await fabric.evaluated.set(newest);
    if (!(await this.#areStored(newest, signal))) return;
    for (const [split, each] of [
      ['test', instances],
      ['train', Math.ceil(instances / 2)],
    ] as const) {
      const measured = await this.#measure(split, each, version, signal);
      if (measured === undefined) return;
      const { success, meanScore, broken, version: by } = measured;
      if (success.trials === 0) this.#reportBroken(split, broken);
      else
        await progress.evaluated({
          seconds,
          steps,
          split,
          version: by,
          ...success,
          score: meanScore,
          broken,
        });
    }
  }

  /** Waits while the disk is full, and training continues. False after the signal. */
  async #areStored({ blob, version }: Weights, signal: AbortSignal): Promise<boolean> {
    const { clock, keepWeights } = this.#options;
    const thing = 'evaluated weights';
    let hasFailed = false;
    const failed = (error: Error) => {
      hasFailed = true;
      this.#report(thing, false, `They cannot be written: ${sentenceOf(error)} Dartboard tries again.`);
    };
    try {
      await retry(() => keepWeights(blob, version), { clock, signal, failed });
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
    if (hasFailed) this.#report(thing, true, 'can be written again');
    return true;
  }

  #reportBroken(split: TaskSplit, broken: number): void {
    this.#report(
      `evaluation (${split})`,
      false,
      `All ${broken} evaluation episodes broke, so the curve has no point here. See the failure of each in the trajectories.`,
    );
  }

  #report(thing: string, healthy: boolean, message: string): void {
    const { fabric, clock } = this.#options;
    const at = clock.now();
    fabric.events.publish({ module: 'evaluation', at, kind: 'health', thing, healthy, message });
  }

  #tasksOf(split: TaskSplit): readonly TaskId[] {
    const { config, suite, tasks } = this.#options;
    const tested = split === 'test' ? (suite.tested ?? tasks) : tasks;
    return config.environments.kind === 'offline' ? tested.slice(0, MAX_STORED) : tested;
  }

  /** Undefined after the signal. */
  async #measure(split: TaskSplit, each: number, version: Version, signal: AbortSignal) {
    const { suite, evaluations } = this.#options;
    const instances = this.#tasksOf(split).flatMap(task =>
      Array.from({ length: each }, (_, index) => ({ task, seed: suite.seed(split, index) })),
    );
    try {
      return await evaluations.measure({ version, instances }, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }
}
