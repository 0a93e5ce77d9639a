// The trainer, module 4 of the ring: takes batches and lessons, updates the weights and publishes them. It never waits for a particular
// rollout: without a batch it trains on lessons, and only without both it waits.
//
// A checkpoint has weights, moments, their mean, versions, training time and random streams. Training on the same batches gives the same
// weights bit for bit, with or without a stop. Lessons and their losses are not in it.

import { setImmediate as others } from 'node:timers/promises';
import type { NetworkShape } from '../agents/compact/network.ts';
import { StepError } from '../agents/compact/step-sample.ts';
import type { Batch, EntropyMask } from '../core/batch.ts';
import type { Clock } from '../core/clock.ts';
import type { Command } from '../core/command.ts';
import type { Disk } from '../core/disk.ts';
import type { Event } from '../core/event.ts';
import type { RunId, Version } from '../core/ids.ts';
import type { Lesson, Needs } from '../core/lesson.ts';
import type { Weights } from '../core/policy.ts';
import type { Random } from '../core/rng.ts';
import { orUndefinedWhenAborted, runTogether, untilAborted } from '../core/run-together.ts';
import { Stopwatch } from '../core/stopwatch.ts';
import type { Log, Register, Taken, Taker, Topic } from '../fabric/channels.ts';
import { Pause } from '../fabric/pause.ts';
import { WEIGHTS } from '../graph/layout.ts';
import { checkSameNetwork } from './checkpoint.ts';
import { type CheckpointFiles, CheckpointFolder } from './checkpoint-folder.ts';
import { TrainerMetrics } from './metrics.ts';
import type { ProgramEngine, TrainingRow } from './network-trainer.ts';
import { Prefetch } from './prefetch.ts';
import type { PreparedBatch } from './prepare.ts';
import { isImitationPhase, isPulsed } from './pulse.ts';
import { forkStreams, type RandomStreams, resumeStreams, saveStreams } from './random-streams.ts';
import type { TrainingRecipe } from './recipe.ts';
import { saveAtEnd } from './save-at-end.ts';
import { flat, UpdateStep, type UpdateStepStart } from './update-step.ts';
import { type TrainingProgress, WeightVersions } from './weight-versions.ts';

export interface TrainerOptions {
  readonly run: RunId;
  readonly engine: ProgramEngine;
  readonly shape: NetworkShape;
  readonly recipe: TrainingRecipe;
  /** The first weights, if the folder has no checkpoint. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** The folder of checkpoints, created with the first. */
  readonly checkpoints: string;
  /** Writes into that folder. */
  readonly files: CheckpointFiles;
  /** Has that folder; by default the disk of this computer. */
  readonly disk?: Disk;
  /** The arithmetic of the updates; by default that of the network. A simulation passes a model of it. */
  readonly openUpdates?: (engine: ProgramEngine, start: UpdateStepStart) => Promise<Updates>;
  readonly channels: TrainerChannels;
  /** The newest version that the files of the run name, if it is resumed. */
  readonly usedVersion?: Version | undefined;
  /** Stores an entropy mask. A batch that is delivered again stores its masks again. A rejection is reported; the next mask is tried. */
  readonly keep: (mask: EntropyMask) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

export type Updates = Pick<UpdateStep, keyof UpdateStep>;

export interface TrainerChannels {
  readonly batches: Taker<Batch>;
  readonly lessons: Taker<Lesson>;
  readonly needs: Register<Needs>;
  readonly weights: Register<Weights>;
  readonly averaged: Register<Weights>;
  readonly events: Topic<Event>;
  readonly commands: Log<Command>;
}

/** More lessons than arrive during an update. */
const PREFETCHED_LESSONS = 16;
/** A batch that ended so many trainers is skipped. */
const MAX_ENDS = 2;
/** Interval of the reports about waiting: events can be lost. */
const WAITING_REPORT_INTERVAL_MS = 10_000;

export class Trainer {
  readonly #options: TrainerOptions;
  readonly #updateStep: Updates;
  readonly #versions: WeightVersions;
  readonly #randomStreams: RandomStreams<Random>;
  readonly #metrics: TrainerMetrics;
  readonly #pause: Pause;
  /** Training time of earlier processes, in milliseconds. */
  readonly #before: number;
  /** Time since the start of this process, with pauses. */
  readonly #watch: Stopwatch;
  #updates: number;
  /** The batch in work. */
  #batch: Taken<Batch> | undefined;
  readonly #lessons: Prefetch<Lesson>;
  /** Acknowledgements under way. */
  #acknowledged: Promise<unknown> = Promise.resolve();
  /** When the trainer became ready for a batch. */
  #readyAt: number;

  private constructor(
    options: TrainerOptions,
    updateStep: Updates,
    versions: WeightVersions,
    randomStreams: RandomStreams<Random>,
    { updates, milliseconds }: TrainingProgress,
  ) {
    const now = options.clock.now();
    this.#options = options;
    this.#updateStep = updateStep;
    this.#versions = versions;
    this.#randomStreams = randomStreams;
    this.#lessons = new Prefetch(options.channels.lessons, PREFETCHED_LESSONS);
    this.#updates = updates;
    this.#before = milliseconds;
    this.#watch = new Stopwatch(options.clock);
    this.#readyAt = now;
    this.#metrics = new TrainerMetrics(options.channels.events, options.clock);
    this.#pause = new Pause(options.channels.commands, options.run, options.clock);
  }

  /** Continues from the newest usable checkpoint, or starts with the first weights. */
  static async open(options: TrainerOptions): Promise<Trainer> {
    const {
      engine,
      shape,
      recipe,
      weights,
      random,
      channels,
      files,
      openUpdates = UpdateStep.open,
    } = options;
    const folder = new CheckpointFolder(options.checkpoints, options.disk);
    const found = await folder.newest();
    if (found !== undefined) checkSameNetwork(found.checkpoint, shape, weights.length, found.file);
    const chances = found === undefined ? forkStreams(random) : resumeStreams(found.checkpoint.chances);
    const first = { [WEIGHTS]: { dtype: 'float32', dims: [weights.length], data: weights } } as const;
    const state = found?.checkpoint.state ?? first;
    // The weights at the start of the run, even after a resume.
    const began = () => found?.checkpoint.reference ?? flat(state).slice();
    const reference = recipe.objective.divergence > 0 ? began() : undefined;
    const updateStep = await openUpdates(engine, { shape, recipe, chances, state, reference });
    const versions = new WeightVersions(
      {
        ...{
          weights: channels.weights,
          averaged: channels.averaged,
          folder,
          files,
          shape,
          recipe,
          reference,
        },
        used: options.usedVersion,
      },
      state,
      found,
    );
    const progress = found?.checkpoint ?? { updates: 0, milliseconds: 0 };
    const trainer = new Trainer(options, updateStep, versions, chances, progress);
    trainer.#metrics.skippedCheckpoints(found);
    return trainer;
  }

  /** Trains until the signal. Then it finishes the batch in work, publishes and writes a checkpoint. */
  async run(signal: AbortSignal): Promise<void> {
    this.#watch.start();
    this.#readyAt = this.#options.clock.now();
    try {
      await runTogether(signal, [
        over => this.#work(over),
        over => this.#lessons.run(over),
        over => this.#followNeeds(over),
        over => this.#pause.follow(over),
      ]);
    } finally {
      await this.#batch?.giveBack();
      await this.#acknowledged;
    }
  }

  close(): Promise<void> {
    return this.#updateStep.close();
  }

  async #work(signal: AbortSignal): Promise<void> {
    await this.#versions.begin(await this.#updateStep.weights());
    await saveAtEnd(this.#trainUntil(signal), () => this.#saveLast());
  }

  async #trainUntil(signal: AbortSignal): Promise<void> {
    const { pulse } = this.#options.recipe;
    while (!signal.aborted) {
      await this.#takeLessons();
      if (!(await this.#imitatePhase())) {
        // A pause lets the batch in work finish.
        if (!this.#pause.isOn) this.#batch ??= await this.#options.channels.batches.tryTake();
        if (this.#batch !== undefined && !this.#pause.isOn) await this.#trainOn(this.#batch);
        else if (this.#pause.isOn || isPulsed(pulse) || !(await this.#update([]))) await this.#wait(signal);
      }
      // Only between batches: after a stop a half-trained batch would be trained again as a whole.
      if (this.#checkpointDueIn() <= 0) await this.#checkpoint();
      // Let messages in.
      await others();
    }
  }

  /** One update of a phase of imitation. False in the other phases, and without lessons: then groups train. */
  async #imitatePhase(): Promise<boolean> {
    const { pulse } = this.#options.recipe;
    if (this.#pause.isOn || !isImitationPhase(this.#updates, pulse)) return false;
    return this.#update([]);
  }

  async #saveLast(): Promise<void> {
    if (!this.#versions.isUnsaved(this.#progress())) return;
    const failure = await this.#checkpoint();
    if (failure !== undefined) throw failure;
  }

  /** Trains a batch and then acknowledges it. If the process ends before, the channel delivers the batch again. */
  async #trainOn(taken: Taken<Batch>): Promise<void> {
    this.#metrics.add('time/wait_for_batch', (this.#options.clock.now() - this.#readyAt) / 1000);
    // Without a policy loss its rows would take time from those of lessons and teach nothing.
    const isWithoutLoss = this.#options.recipe.policyWeight === 0;
    const prepared = isWithoutLoss ? undefined : await this.#prepared(taken);
    if (prepared !== undefined) {
      this.#metrics.staleness(taken.item.oldest, this.#versions.numberOf(this.#progress()));
      await this.#storeMasks(prepared.masks);
      for (const [name, value] of prepared.figures) this.#metrics.add(name, value);
      for (const rows of this.#updateStep.parts(prepared.rows)) {
        await this.#update(rows);
        await this.#takeLessons();
        await others();
      }
    }
    await taken.acknowledge();
    this.#batch = undefined;
    this.#readyAt = this.#options.clock.now();
  }

  /** Masks are for people: a failed write is reported and training continues. */
  async #storeMasks(masks: PreparedBatch['masks']): Promise<void> {
    for (const mask of masks)
      this.#metrics.writeResult('masks', await this.#options.keep(mask).catch((error: unknown) => error));
  }

  /** Undefined for a batch that cannot be parsed or that has ended trainers before. It is reported and skipped. */
  async #prepared({ item: batch, attempt, untouched }: Taken<Batch>): Promise<PreparedBatch | undefined> {
    try {
      const ends = attempt - untouched - 1;
      if (ends >= MAX_ENDS)
        throw new StepError(`The trainer ended ${ends} times while it trained on this batch.`);
      return await this.#updateStep.prepare(batch);
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      this.#metrics.unreadable(`batch ${batch.id}`, error);
      return undefined;
    }
  }

  /** One update. Returns whether there was anything to train on. */
  async #update(rows: readonly TrainingRow[]): Promise<boolean> {
    const passed = this.#progress().milliseconds / (1000 * this.#options.recipe.seconds);
    const result = await this.#updateStep.update(rows, passed, this.#updates);
    for (const { thing, error } of result.unreadable) this.#metrics.unreadable(thing, error);
    this.#updates += result.steps.filter(({ applied }) => applied).length;
    this.#metrics.updated(result);
    if (this.#versions.dueIn(this.#progress(), false) <= 0) await this.#publish();
    // Beside an unreadable lesson there may be others.
    return result.steps.length + result.unreadable.length > 0;
  }

  /** Adds the lessons that have arrived. Their acknowledgement is not awaited. */
  async #takeLessons(): Promise<void> {
    const lessons = this.#lessons.takeAll();
    if (lessons.length === 0) return;
    for (const { item } of lessons) this.#updateStep.addLesson(item);
    await this.#acknowledged;
    this.#acknowledged = Promise.all(lessons.map(lesson => lesson.acknowledge()));
    // The next call awaits it and sees the error.
    this.#acknowledged.catch(() => undefined);
  }

  async #followNeeds(signal: AbortSignal): Promise<void> {
    for await (const needs of this.#options.channels.needs.watch(signal)) this.#updateStep.setWeights(needs);
  }

  /** Waits for a batch or a lesson, or until a checkpoint is due. */
  async #wait(signal: AbortSignal): Promise<void> {
    const { channels } = this.#options;
    this.#metrics.startIdle();
    await runTogether(signal, [
      async over => {
        if (this.#pause.isOn) return untilAborted(over, this.#pause.changed);
        this.#batch = await orUndefinedWhenAborted(over, channels.batches.take(over));
      },
      over => this.#lessons.waitForAny(over),
      over => this.#publishUntilCheckpoint(over),
      over => this.#reportWaiting(over),
    ]);
    this.#metrics.endIdle();
  }

  /**
   * Publishes on time while it waits: rollouts may need the new weights, but each version makes their results older. Resolves when a
   * checkpoint is due.
   */
  async #publishUntilCheckpoint(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#checkpointDueIn() > 0) {
      const dueIn = this.#versions.dueIn(this.#progress(), this.#pause.isOn);
      const left = Math.ceil(Math.min(dueIn, this.#checkpointDueIn()));
      if (dueIn <= 0) await this.#publish();
      else await this.#pause.sleep(left, signal);
    }
  }

  #checkpointDueIn(): number {
    return this.#versions.checkpointDueIn(this.#progress(), this.#pause.isOn);
  }

  async #reportWaiting(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#metrics.waiting(this.#pause.isOn ? 'to be resumed' : 'a batch or a lesson');
      await this.#pause.sleep(WAITING_REPORT_INTERVAL_MS, signal);
      this.#progress();
      this.#reportMetrics();
    }
  }

  async #publish(): Promise<void> {
    await this.#versions.publish(this.#progress(), await this.#updateStep.weights());
    this.#reportMetrics();
  }

  /** Writes a checkpoint. Reports and returns a failure: a full disk may have room later, and the weights are sound. */
  async #checkpoint(): Promise<unknown> {
    const state = await this.#updateStep.state();
    const failure = await this.#versions.checkpoint(
      this.#progress(),
      state,
      saveStreams(this.#randomStreams),
      (file, error) => this.#metrics.undeletedCheckpoint(file, error),
    );
    this.#metrics.writeResult('checkpoints', failure);
    this.#reportMetrics();
    return failure;
  }

  #reportMetrics(): void {
    this.#metrics.add('trainer/updates', this.#updates);
    this.#metrics.publish();
  }

  #progress(): TrainingProgress {
    const milliseconds = this.#before + this.#watch.sample() - this.#pause.sample();
    return { updates: this.#updates, milliseconds };
  }
}
