// The trainer, module 4 of the ring: takes batches and lessons, learns, and lets others have its weights. It never waits for a
// particular rollout: while no batch is there it imitates what it was shown, and only where there is nothing at all it waits.
//
// What goes on after a stop: weights, moments, their mean, versions, the time trained, and the streams of chance. What is trained
// from batches alone is then the same, bit for bit, as without the stop. What is not kept: lessons, and how much each surprised.

import { setImmediate as others } from 'node:timers/promises';
import type { NetworkShape } from '../agent/network.ts';
import { StepError } from '../agent/step-sample.ts';
import type { Batch, EntropyMask } from '../core/batch.ts';
import type { Clock } from '../core/clock.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { RunId } from '../core/ids.ts';
import type { Lesson, Needs } from '../core/lesson.ts';
import type { Weights } from '../core/policy.ts';
import type { Random } from '../core/rng.ts';
import { Stopwatch } from '../core/stopwatch.ts';
import {
  ChannelClosed,
  type Log,
  type Register,
  type Taken,
  type Taker,
  type Topic,
} from '../fabric/channels.ts';
import { Pause } from '../fabric/pause.ts';
import { WEIGHTS } from '../graph/layout.ts';
import { type Chances, chancesFrom, resumedChances, savedChances } from './chances.ts';
import { refuseOtherNetwork } from './checkpoint.ts';
import { CheckpointFolder, type Files } from './checkpoint-folder.ts';
import type { Opens, Row } from './learner.ts';
import { TrainerMetrics } from './metrics.ts';
import { Prefetch } from './prefetch.ts';
import type { Prepared } from './prepare.ts';
import type { TrainingRecipe } from './recipe.ts';
import { ended, together, unlessOver } from './together.ts';
import { flat, UpdateStep } from './update-step.ts';
import { type Standing, Versions } from './versions.ts';

export interface TrainerOptions {
  readonly run: RunId;
  readonly engine: Opens;
  readonly shape: NetworkShape;
  readonly recipe: TrainingRecipe;
  /** Where it begins, while the folder has no checkpoint to go on from. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** The folder of its checkpoints; made when the first is written. */
  readonly checkpoints: string;
  /** What writes into it. */
  readonly files: Files;
  readonly channels: TrainerChannels;
  /** Stores which steps of a group train. A batch may come again, and then so does its mask. Whoever rejects tries again with the next. */
  readonly keep: (mask: EntropyMask) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

export interface TrainerChannels {
  readonly batches: Taker<Batch>;
  readonly lessons: Taker<Lesson>;
  readonly needs: Register<Needs>;
  readonly weights: Register<Weights>;
  readonly averaged: Register<Weights>;
  readonly events: Topic<Event>;
  readonly commands: Log<Command>;
}

/** Lessons that are asked for at a time: more than come while an update is made. */
const LESSONS_AT_ONCE = 16;
/** Batches that were with so many trainers, none of which came to its end. */
const MOST_ATTEMPTS = 2;
/** Milliseconds after which it says again what it waits for: events can be lost. */
const SAID_EVERY = 10_000;

export class Trainer {
  readonly #options: TrainerOptions;
  readonly #pupil: UpdateStep;
  readonly #versions: Versions;
  readonly #chances: Chances<Random>;
  readonly #telling: TrainerMetrics;
  readonly #pause: Pause;
  /** Milliseconds trained before it was opened. */
  readonly #before: number;
  /** Since it was run, with its pauses. */
  readonly #watch: Stopwatch;
  #updates: number;
  /** Taken and not yet done. */
  #batch: Taken<Batch> | undefined;
  readonly #lessons: Prefetch<Lesson>;
  /** Of the lessons that were taken so far. */
  #acknowledged: Promise<unknown> = Promise.resolve();
  /** When it could have taken a batch. */
  #readyAt: number;

  private constructor(
    options: TrainerOptions,
    pupil: UpdateStep,
    versions: Versions,
    chances: Chances<Random>,
    { updates, milliseconds }: Standing,
  ) {
    const now = options.clock.now();
    this.#options = options;
    this.#pupil = pupil;
    this.#versions = versions;
    this.#chances = chances;
    this.#lessons = new Prefetch(options.channels.lessons, LESSONS_AT_ONCE);
    this.#updates = updates;
    this.#before = milliseconds;
    this.#watch = new Stopwatch(options.clock);
    this.#readyAt = now;
    this.#telling = new TrainerMetrics(options.channels.events, options.clock);
    this.#pause = new Pause(options.channels.commands, options.run, options.clock);
  }

  /** Goes on from the newest whole checkpoint of its folder, or begins. */
  static async open(options: TrainerOptions): Promise<Trainer> {
    const { engine, shape, recipe, weights, random, channels, files } = options;
    const folder = new CheckpointFolder(options.checkpoints);
    const found = await folder.newest();
    if (found !== undefined) refuseOtherNetwork(found.checkpoint, shape, weights.length, found.file);
    const chances = found === undefined ? chancesFrom(random) : resumedChances(found.checkpoint.chances);
    const first = { [WEIGHTS]: { dtype: 'float32', dims: [weights.length], data: weights } } as const;
    const state = found?.checkpoint.state ?? first;
    // What it began with, also after a stop.
    const began = () => found?.checkpoint.reference ?? flat(state).slice();
    const reference = recipe.objective.divergence > 0 ? began() : undefined;
    const pupil = await UpdateStep.open(engine, { shape, recipe, chances, state, reference });
    const versions = new Versions(
      { weights: channels.weights, averaged: channels.averaged, folder, files, shape, recipe, reference },
      state,
      found,
    );
    const standing = found?.checkpoint ?? { updates: 0, milliseconds: 0 };
    const trainer = new Trainer(options, pupil, versions, chances, standing);
    trainer.#telling.skipped(found);
    return trainer;
  }

  /** Once, until it is aborted: then the batch under way is finished, and all that was learned is published and kept. */
  async run(signal: AbortSignal): Promise<void> {
    this.#watch.goOn();
    this.#readyAt = this.#options.clock.now();
    try {
      await together(signal, [
        over => this.#work(over),
        over => this.#lessons.follow(over),
        over => this.#followNeeds(over),
        over => this.#pause.follow(over),
      ]);
    } finally {
      await this.#batch?.giveBack();
      await this.#acknowledged;
    }
  }

  close(): Promise<void> {
    return this.#pupil.close();
  }

  async #work(signal: AbortSignal): Promise<void> {
    await this.#versions.begin(await this.#pupil.weights());
    try {
      await this.#learnUntil(signal);
    } catch (error) {
      // Where nobody is there any more, what was learned is sound. After any other failure nobody knows.
      if (error instanceof ChannelClosed) await this.#keepLast();
      throw error;
    }
    await this.#keepLast();
  }

  async #learnUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#takeLessons();
      this.#batch ??= await this.#options.channels.batches.tryTake();
      if (this.#batch !== undefined) await this.#learnFrom(this.#batch);
      // What is under way is trained all the same.
      else if (this.#pause.isOn || !(await this.#learn([]))) await this.#wait(signal);
      // Never with half a batch learned: after a stop it would come again whole.
      if (this.#versions.isCheckpointDue(this.#standing())) await this.#checkpoint();
      // Messages are let through, however much there is to do.
      await others();
    }
  }

  async #keepLast(): Promise<void> {
    if (!this.#versions.isUnkept(this.#standing())) return;
    const unwritten = await this.#checkpoint();
    if (unwritten !== undefined) throw unwritten;
  }

  /** The updates of one batch, and only then it is done: who dies before gives it back. */
  async #learnFrom(taken: Taken<Batch>): Promise<void> {
    this.#telling.note('time/wait_for_batch', (this.#options.clock.now() - this.#readyAt) / 1000);
    const prepared = await this.#prepared(taken);
    if (prepared !== undefined) this.#telling.staleness(taken.item.oldest, this.#versions.version);
    await this.#keepMasks(prepared?.masks ?? []);
    for (const [name, value] of prepared?.figures ?? []) this.#telling.note(name, value);
    for (const rows of this.#pupil.parts(prepared?.rows ?? [])) {
      await this.#learn(rows);
      await this.#takeLessons();
      await others();
    }
    await taken.acknowledge();
    this.#batch = undefined;
    this.#readyAt = this.#options.clock.now();
  }

  /** They are for people: where they cannot be stored, that is told, and the batch is learned from all the same. */
  async #keepMasks(masks: Prepared['masks']): Promise<void> {
    for (const mask of masks)
      this.#telling.written('masks', await this.#options.keep(mask).catch((error: unknown) => error));
  }

  /** Undefined where it cannot be read, or ended who learned from it: it would do so as often as it is tried, so it is said and left out. */
  async #prepared({ item: batch, attempt }: Taken<Batch>): Promise<Prepared | undefined> {
    try {
      if (attempt > MOST_ATTEMPTS)
        throw new StepError(`The trainer has broken off ${attempt - 1} times while it learned from it.`);
      return await this.#pupil.prepare(batch);
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      this.#telling.unreadable(`batch ${batch.id}`, error);
      return undefined;
    }
  }

  /** From rows of groups beside imitated ones, or from those alone. Whether there was anything to learn from. */
  async #learn(rows: readonly Row[]): Promise<boolean> {
    const passed = this.#standing().milliseconds / (1000 * this.#options.recipe.seconds);
    const turn = await this.#pupil.learn(rows, passed, this.#updates);
    for (const { thing, error } of turn.unreadable) this.#telling.unreadable(thing, error);
    this.#updates += turn.updates.filter(({ applied }) => applied).length;
    this.#telling.learned(turn, this.#options.recipe.policyWeight);
    if (this.#versions.isDue(this.#standing())) await this.#publish();
    // Where something was unreadable, there may be more beside it.
    return turn.updates.length + turn.unreadable.length > 0;
  }

  /** Those that have come by now. An answer to that changes nothing, so nobody waits for it. */
  async #takeLessons(): Promise<void> {
    const lessons = this.#lessons.fetched();
    if (lessons.length === 0) return;
    for (const { item } of lessons) this.#pupil.take(item);
    await this.#acknowledged;
    this.#acknowledged = Promise.all(lessons.map(lesson => lesson.acknowledge()));
    // Whoever takes the next hears of it.
    this.#acknowledged.catch(() => undefined);
  }

  async #followNeeds(signal: AbortSignal): Promise<void> {
    for await (const needs of this.#options.channels.needs.watch(signal)) this.#pupil.need(needs);
  }

  /** Until there is a batch or a lesson. */
  async #wait(signal: AbortSignal): Promise<void> {
    const { channels } = this.#options;
    this.#telling.rests();
    await together(signal, [
      async over => {
        this.#batch = await unlessOver(over, channels.batches.take(over));
      },
      over => this.#lessons.some(over),
      over => this.#publishInTime(over),
      over => this.#sayWaiting(over),
      over => ended(over, this.#pause.isOn ? this.#pause.over : over),
    ]);
    this.#telling.works();
  }

  /** Rollouts may be waiting for what was learned; but each version makes older what they bring. */
  async #publishInTime(signal: AbortSignal): Promise<void> {
    const left = this.#pause.isOn ? 0 : this.#versions.dueIn(this.#standing());
    if (left > 0) await unlessOver(signal, this.#options.clock.sleep(left, signal));
    if (!signal.aborted && this.#versions.isBehind(this.#standing())) await this.#publish();
    await ended(signal);
  }

  async #sayWaiting(signal: AbortSignal): Promise<void> {
    const since = this.#options.clock.now();
    while (!signal.aborted) {
      this.#telling.waits(this.#pause.isOn ? 'to be resumed' : 'a batch or a lesson', since);
      await unlessOver(signal, this.#options.clock.sleep(SAID_EVERY, signal));
      // What nobody looks at for long does not count.
      this.#standing();
      this.#figures();
    }
  }

  async #publish(): Promise<void> {
    await this.#versions.publish(this.#standing(), await this.#pupil.weights());
    this.#figures();
  }

  /** A disk that is full may have room later, and what was learned is sound meanwhile: what went wrong is told, and given. */
  async #checkpoint(): Promise<unknown> {
    const state = await this.#pupil.state();
    const unwritten = await this.#versions.keep(this.#standing(), state, savedChances(this.#chances));
    this.#telling.written('checkpoints', unwritten);
    this.#figures();
    return unwritten;
  }

  #figures(): void {
    this.#telling.note('trainer/updates', this.#updates);
    this.#telling.figures();
  }

  #standing(): Standing {
    const milliseconds = this.#before + this.#watch.milliseconds - this.#pause.milliseconds;
    return { updates: this.#updates, milliseconds };
  }
}
