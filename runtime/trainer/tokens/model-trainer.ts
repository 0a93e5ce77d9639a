// The trainer of a language model: takes batches, computes one signed weight per token, and lets a learner make the optimiser steps. It
// publishes a version after each batch. The learner holds the weights; this process holds none.
//
// No update is applied twice: each has an id, which names its batch and its place there, and the learner knows the id of its last one. A
// batch that is delivered again continues behind it.

import { setImmediate as others } from 'node:timers/promises';
import type { Batch, EntropyMask } from '../../core/batch.ts';
import type { Clock } from '../../core/clock.ts';
import type { Command } from '../../core/command.ts';
import type { Event } from '../../core/event.ts';
import { version as asVersion, type RunId, type Version } from '../../core/ids.ts';
import type { Weights } from '../../core/policy.ts';
import { orUndefinedWhenAborted, runTogether, untilAborted } from '../../core/run-together.ts';
import { Stopwatch } from '../../core/stopwatch.ts';
import type { Log, Register, Taken, Taker, Topic } from '../../fabric/channels.ts';
import { Pause } from '../../fabric/pause.ts';
import { encodePublished } from '../../learner/published-weights.ts';
import { isOutage } from '../../learner/tinker/tinker-error.ts';
import type { CheckpointFiles } from '../checkpoint-folder.ts';
import { TrainerMetrics } from '../metrics.ts';
import { saveAtEnd } from '../save-at-end.ts';
import { updateBatch, updatesMade } from './batch-update.ts';
import { minibatches, mixed } from './minibatches.ts';
import {
  type PreparedReplies,
  type PreparedReply,
  type PreparingTokens,
  prepareTokens,
  TokenBatchError,
} from './prepare-tokens.ts';
import { type LearnerProgress, resumedProgress, writeProgress } from './progress.ts';
import type { TokenRecipe } from './token-recipe.ts';

export interface ModelTrainerOptions extends PreparingTokens {
  readonly run: RunId;
  /** The progress of the earlier processes of the run. */
  readonly before: LearnerProgress;
  readonly files: CheckpointFiles;
  readonly channels: ModelTrainerChannels;
  /** Stores an entropy mask. A rejection is reported; the next mask is tried. */
  readonly keep: (mask: EntropyMask) => Promise<void>;
  readonly clock: Clock;
}

export interface ModelTrainerChannels {
  readonly batches: Taker<Batch>;
  readonly weights: Register<Weights>;
  readonly averaged: Register<Weights>;
  readonly events: Topic<Event>;
  readonly commands: Log<Command>;
}

/** A batch that ended so many trainers is skipped. Ends by outages of the learner's server do not count. */
const MAX_ENDS = 2;
/** With those by outages: a batch that needs more memory than the server has ends the server, which looks like an outage. */
const MAX_ENDS_IN_ALL = 8;
/** Interval of the reports about waiting: events can be lost. */
const WAITING_REPORT_INTERVAL_MS = 10_000;
const SAMPLE_INTERVAL_MS = 20_000;

export class ModelTrainer {
  readonly #options: ModelTrainerOptions;
  readonly #metrics: TrainerMetrics;
  readonly #pause: Pause;
  readonly #watch: Stopwatch;
  #progress: LearnerProgress;
  #batch: Taken<Batch> | undefined;
  /** The last attempt to save. */
  #tried: { readonly step: number; readonly milliseconds?: number };
  #readyAt: number;
  /** Why training has ended for good. */
  #refused: string | undefined;

  private constructor(options: ModelTrainerOptions, progress: LearnerProgress) {
    const { clock, channels, run } = options;
    this.#options = options;
    this.#progress = progress;
    this.#metrics = new TrainerMetrics(channels.events, clock);
    this.#pause = new Pause(channels.commands, run, clock);
    this.#watch = new Stopwatch(clock);
    this.#tried = progress.saved ?? { step: 0 };
    this.#readyAt = clock.now();
  }

  /** Continues with the learner's own state. One that has lost it loads the last saved one. */
  static async open(options: ModelTrainerOptions, signal: AbortSignal): Promise<ModelTrainer> {
    const { learner, before } = options;
    if (before.saved !== undefined && learner.step < before.saved.step)
      await learner.load(before.saved.place, signal);
    const progress = resumedProgress(before, learner.step);
    await writeProgress(options.files, progress);
    const trainer = new ModelTrainer(options, progress);
    if (learner.step < before.step)
      trainer.#metrics.problem(
        'the learner',
        `It has lost its state after step ${learner.step}: training continues from there, and the steps up to ${before.step} are repeated with new weights. Check its log.`,
      );
    return trainer;
  }

  /** Trains until the signal. Then it finishes the update in work, and saves the state of the learner. Rejects if that fails. */
  async run(signal: AbortSignal): Promise<void> {
    this.#watch.start();
    this.#readyAt = this.#options.clock.now();
    const ended = new AbortController();
    const sampled = this.#sampleTime(ended.signal);
    let how: 'untouched' | undefined;
    try {
      await runTogether(signal, [over => this.#work(over), over => this.#pause.follow(over)]);
      // The batch in work has not ended the trainer.
      how = 'untouched';
    } catch (error) {
      if (this.#batch !== undefined && isOutage(error)) await this.#keepOutage(this.#batch.item);
      throw error;
    } finally {
      ended.abort();
      await sampled;
      await this.#batch?.giveBack(how);
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    await this.#publish(NEVER);
    await saveAtEnd(this.#trainedUntil(signal), () => this.#saveLast());
  }

  async #trainedUntil(signal: AbortSignal): Promise<void> {
    await this.#trainUntil(signal);
    // A stop in the middle of a batch leaves updates that are not published.
    await this.#publish(NEVER);
  }

  async #trainUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!this.#pause.isOn && this.#refused === undefined)
        this.#batch ??= await this.#options.channels.batches.tryTake();
      // A batch can arrive during a pause.
      if (this.#batch !== undefined && this.#refused === undefined && !this.#pause.isOn)
        await this.#trainOn(this.#batch, signal);
      else await this.#wait(signal);
      if (this.#saveDueIn(this.#pause.isOn) <= 0) await this.#save();
      await others();
    }
  }

  async #trainOn(taken: Taken<Batch>, signal: AbortSignal): Promise<void> {
    const { clock, channels, learner, recipe } = this.#options;
    this.#metrics.add('time/wait_for_batch', (clock.now() - this.#readyAt) / 1000);
    const prepared = await this.#prepared(taken, signal);
    // A stop may have ended it. The batch returns to its queue, and what was trained before is saved.
    if (prepared === undefined && signal.aborted) return;
    if (prepared !== undefined) {
      // Without weights to publish, nobody knows what the policy plays with.
      if (learner.capabilities.publishes) this.#metrics.staleness(taken.item.oldest, this.#version());
      for (const mask of prepared.masks)
        this.#metrics.writeResult('masks', await this.#options.keep(mask).catch((error: unknown) => error));
      if (prepared.losses.length > 0) {
        const lost = `${prepared.losses.join(' ')} The other steps of the batch train.`;
        this.#metrics.problem(`batch ${taken.item.id}`, lost);
      }
      for (const [name, value] of prepared.figures) this.#metrics.add(name, value);
      const staleness = Math.max(0, ...taken.item.oldest.map(each => this.#version() - each));
      this.#refused = refusal(prepared.mismatch, staleness, recipe);
      if (this.#refused !== undefined) {
        this.#metrics.problem('the learner', this.#refused);
        await channels.commands.append({ kind: 'stop', run: this.#options.run });
        return;
      }
      await this.#updates(taken.item, prepared.rows, signal).catch((error: unknown) =>
        this.#skip(taken.item, error),
      );
      if (signal.aborted) return;
      if (learner.capabilities.publishes) await this.#publish(NEVER);
    }
    await taken.acknowledge();
    this.#batch = undefined;
    this.#readyAt = clock.now();
    this.#report();
  }

  /** Undefined for a batch that cannot train, or that has ended trainers before: it is reported and skipped. Undefined also after a stop. */
  async #prepared(
    { item: batch, attempt, untouched }: Taken<Batch>,
    signal: AbortSignal,
  ): Promise<PreparedReplies | undefined> {
    try {
      const ends = attempt - untouched - 1;
      if (ends - this.#outagesDuring(batch) >= MAX_ENDS || ends >= MAX_ENDS_IN_ALL)
        throw new TokenBatchError(`The trainer ended ${ends} times while it trained on this batch.`);
      return await prepareTokens(batch, this.#options, signal);
    } catch (error) {
      if (!signal.aborted) this.#skip(batch, error);
      return undefined;
    }
  }

  #outagesDuring({ id }: Batch): number {
    const { outages } = this.#progress;
    return outages?.batch === id ? outages.ends : 0;
  }

  /** Only the count changes: the next process compares the steps in the file with those that the learner has left. */
  async #keepOutage(batch: Batch): Promise<void> {
    this.#progress = {
      ...this.#progress,
      outages: { batch: batch.id, ends: this.#outagesDuring(batch) + 1 },
    };
    await writeProgress(this.#options.files, this.#progress);
  }

  /** The rest of a batch that cannot train is skipped. */
  #skip(batch: Batch, error: unknown): void {
    if (!(error instanceof TokenBatchError)) throw error;
    this.#metrics.unreadable(`batch ${batch.id}`, error);
  }

  /** All updates of a batch that were not made yet. A pause holds them back, and a stop ends them, between two updates. */
  async #updates(batch: Batch, rows: readonly PreparedReply[], signal: AbortSignal): Promise<void> {
    const { learner, recipe, clock } = this.#options;
    const done = updatesMade(batch, learner.last);
    const parts = minibatches(mixed(rows, batch.id), recipe.policyRows, recipe.budget);
    for (const [index, part] of parts.entries()) {
      if (index < done) continue;
      await this.#untilResumed(signal);
      if (signal.aborted) return;
      const from = clock.now();
      const figures = await updateBatch(batch, index, part, this.#options, NEVER);
      const stepSeconds = (clock.now() - from) / 1000;
      await this.#keepProgress();
      if (this.#saveDueIn(false) <= 0) await this.#save();
      for (const [name, value] of figures) this.#metrics.add(name, value);
      this.#metrics.add('learner/step_seconds', stepSeconds);
    }
  }

  /** Returns when the run is resumed or the signal is aborted. Saves what is due. */
  async #untilResumed(signal: AbortSignal): Promise<void> {
    while (this.#pause.isOn && !signal.aborted)
      if (this.#saveDueIn(true) <= 0) await this.#save();
      else await this.#wait(signal);
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { learner, channels } = this.#options;
    if (!learner.capabilities.publishes) return;
    const there = await channels.weights.get();
    const newest = this.#version();
    // A register that survived the trainer may have a higher number.
    if (there !== undefined && there.version > newest)
      this.#progress = { ...this.#progress, offset: this.#progress.offset + there.version + 1 - newest };
    else if (there !== undefined && there.version === newest) return;
    const weights = encodePublished(await learner.publish(signal), this.#version());
    await channels.averaged.set(weights);
    await channels.weights.set(weights);
  }

  /** Waits for a batch, until a save is due, or until a pause begins or ends. */
  async #wait(signal: AbortSignal): Promise<void> {
    const { channels, clock } = this.#options;
    this.#metrics.startIdle();
    await runTogether(signal, [
      async over => {
        if (this.#pause.isOn || this.#refused !== undefined) return untilAborted(over, this.#pause.changed);
        this.#batch = await orUndefinedWhenAborted(over, channels.batches.take(over));
      },
      over => this.#pause.sleep(Math.ceil(Math.max(0, this.#saveDueIn(this.#pause.isOn))), over),
      async over => {
        while (!over.aborted) {
          this.#metrics.waiting(this.#refused ?? (this.#pause.isOn ? 'to be resumed' : 'a batch'));
          await orUndefinedWhenAborted(over, clock.sleep(WAITING_REPORT_INTERVAL_MS, over));
          this.#report();
        }
      },
    ]);
    this.#metrics.endIdle();
  }

  #report(): void {
    this.#metrics.add('trainer/updates', this.#options.learner.step);
    this.#metrics.publish();
  }

  #version(): Version {
    return asVersion(this.#progress.offset + this.#options.learner.step);
  }

  /** An update can take an hour, and a stopwatch needs a sample every minute. */
  async #sampleTime(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await orUndefinedWhenAborted(signal, this.#options.clock.sleep(SAMPLE_INTERVAL_MS, signal));
      this.#milliseconds();
    }
  }

  #milliseconds(): number {
    return this.#options.before.milliseconds + this.#watch.sample() - this.#pause.sample();
  }

  #isUnsaved(): boolean {
    return this.#options.learner.step > (this.#progress.saved?.step ?? 0);
  }

  /** Milliseconds until a save is due: 0 in a pause, and infinite without updates since the last one. */
  #saveDueIn(isPaused: boolean): number {
    const { learner, recipe } = this.#options;
    const { step, milliseconds = 0 } = this.#tried;
    if (!this.#isUnsaved()) return Number.POSITIVE_INFINITY;
    // Training time stands still in a pause, so a failed attempt is not repeated there.
    if (isPaused) return learner.step > step ? 0 : Number.POSITIVE_INFINITY;
    return milliseconds + 1000 * recipe.checkpointSeconds - this.#milliseconds();
  }

  async #saveLast(): Promise<void> {
    const failure = this.#isUnsaved() ? await this.#save() : undefined;
    if (failure !== undefined) throw failure;
  }

  /** Reports and returns a failure. Rejects if the learner has lost steps: then the batch in work is another one. */
  async #save(): Promise<unknown> {
    const { learner } = this.#options;
    const milliseconds = this.#milliseconds();
    const { step } = learner;
    this.#tried = { step, milliseconds };
    const before = this.#progress.saved?.place;
    const failure = await learner
      .save(`step-${step}`, NEVER)
      .then(place => this.#keepProgress({ place, step, milliseconds }))
      .catch((error: unknown) => error);
    if (learner.step < step) throw failure;
    this.#metrics.writeResult('checkpoints', failure);
    const isReplaced = failure === undefined && before !== this.#progress.saved?.place;
    // A resume loads the newest saved state alone.
    if (before !== undefined && isReplaced)
      await learner
        .forget?.(before)
        .catch((error: unknown) => this.#metrics.undeletedCheckpoint(before, error));
    return failure;
  }

  async #keepProgress(saved = this.#progress.saved): Promise<void> {
    const progress = {
      ...this.#progress,
      ...{ step: this.#options.learner.step, milliseconds: this.#milliseconds() },
      ...(saved !== undefined && { saved }),
    };
    await writeProgress(this.#options.files, progress);
    this.#progress = progress;
  }
}

/** An update in work is finished also after a stop. Every call of a learner has deadlines of its own. */
const NEVER = new AbortController().signal;

/** `staleness`: that of the oldest reply. Replies of old weights differ from the present ones without any fault. */
function refusal(
  mismatch: number | undefined,
  staleness: number,
  { maxMismatch }: TokenRecipe,
): string | undefined {
  if (mismatch === undefined || mismatch <= maxMismatch) return undefined;
  return `Training stopped: the log-probabilities of the server and of the learner differ by ${mismatch.toPrecision(3)} nats (mismatch_kl), more than 'trainer.maxMismatch' (${maxMismatch}). The oldest reply has the staleness ${staleness} (optimiser steps): if this is high, lower 'data.stalenessUpdates'. Otherwise check that both use the same weights, precision and images, or raise the limit.`;
}
