// Publishes the metrics, waiting reasons and health of the trainer as events. Events can be lost: nothing may depend on them.

import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { Version } from '../core/ids.ts';
import { sum } from '../core/sum.ts';
import type { Topic } from '../fabric/channels.ts';
import type { FoundCheckpoint } from './checkpoint-folder.ts';
import { TrainerMeter } from './meter.ts';
import type { UpdateResult } from './update-step.ts';

export class TrainerMetrics {
  readonly #events: Topic<Event>;
  readonly #clock: Clock;
  readonly #meter: TrainerMeter;
  #isSound = true;
  /** Kinds of files whose last write failed. */
  readonly #unwritten = new Set<string>();
  #wait: { readonly reason: string; readonly since: number } | undefined;

  constructor(events: Topic<Event>, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
    this.#meter = new TrainerMeter(clock.now());
  }

  add(name: string, value: number): void {
    this.#meter.addMean(name, value);
  }

  /** The staleness of each trajectory of a batch at the moment it trains, in optimiser steps. */
  staleness(oldest: readonly Version[], version: Version): void {
    for (const each of oldest) {
      const behind = Math.max(0, version - each);
      this.#meter.addMean('off_policy/mean', behind);
      this.#meter.addMax('off_policy/max', behind);
    }
  }

  /** Publishes all metrics since the last call. */
  publish(): void {
    const at = this.#clock.now();
    for (const { name, value } of this.#meter.flush(at)) this.#tell({ kind: 'metric', name, value });
  }

  startIdle(): void {
    this.#meter.startIdle(this.#clock.now());
  }

  /** Equal reasons in a row are one wait. */
  waiting(reason: string): void {
    const wait = this.#wait?.reason === reason ? this.#wait : { reason, since: this.#clock.now() };
    this.#wait = wait;
    this.#tell({ kind: 'waiting', ...wait });
  }

  endIdle(): void {
    this.#wait = undefined;
    this.#meter.endIdle(this.#clock.now());
    this.#tell({ kind: 'waiting', reason: undefined, since: this.#clock.now() });
  }

  updated({ steps, groupRows, groupWeight, imitatedRows, personTransferRows }: UpdateResult): void {
    for (const { gradientNorm } of steps) this.add('actor/grad_norm', gradientNorm);
    if (groupRows > 0) {
      // Each optimiser step reports its share of the weighted mean. With a budget the weights of the rows may add up to less than 'policyWeight'.
      const mean = (values: readonly number[]) => sum(values) / groupWeight;
      this.add('actor/ppo_kl', mean(steps.map(({ kl }) => kl)));
      this.add('actor/pg_clipfrac', mean(steps.map(({ clipped }) => clipped)));
    }
    if (steps.length === 0) return;
    for (const [sort, rows] of imitatedRows) this.add(`imitated/${sort}`, rows);
    const imitated = sum([...imitatedRows.values()]);
    this.#meter.addShare('data/imitated_share', imitated, imitated + groupRows);
    this.#meter.addShare('data/person_transfer_share', personTransferRows, imitated);
    const isSound = steps.every(({ applied }) => applied);
    if (isSound === this.#isSound) return;
    this.#isSound = isSound;
    const refused =
      'an update was rejected, because its loss, gradient or new weights were not finite or too large. Lower the learning rate if this repeats';
    this.#health('updates', isSound, isSound ? 'updates succeed again' : refused);
  }

  problem(thing: string, message: string): void {
    this.#health(thing, false, message);
  }

  unreadable(thing: string, { message }: Error): void {
    this.#health(thing, false, `${message} It is skipped.`);
  }

  /** Reports the first failed write and the first that succeeds again. */
  writeResult(thing: string, failure: unknown): void {
    if ((failure !== undefined) === this.#unwritten.has(thing)) return;
    if (failure === undefined) {
      this.#unwritten.delete(thing);
      this.#health(thing, true, 'Writing works again.');
    } else {
      this.#unwritten.add(thing);
      this.#health(
        thing,
        false,
        `Writing failed: ${sentenceOf(failure)} Training continues, and the next write is tried as usual.`,
      );
    }
  }

  skippedCheckpoints(found: FoundCheckpoint | undefined): void {
    for (const { file, why } of found?.skipped ?? [])
      this.#health(file, false, `${why} Training continues from '${found?.file}'.`);
  }

  undeletedCheckpoint(file: string, error: unknown): void {
    this.problem(
      'earlier checkpoints',
      `Deleting '${file}' failed: ${sentenceOf(error)} Training does not need it: delete it by hand.`,
    );
  }

  #health(thing: string, healthy: boolean, message: string): void {
    this.#tell({ kind: 'health', thing, healthy, message });
  }

  #tell(event: Told): void {
    this.#events.publish({ module: 'trainer', at: this.#clock.now(), ...event });
  }
}

type Told =
  | Pick<Extract<Event, { kind: 'metric' }>, 'kind' | 'name' | 'value'>
  | Pick<Extract<Event, { kind: 'waiting' }>, 'kind' | 'reason' | 'since'>
  | Pick<Extract<Event, { kind: 'health' }>, 'kind' | 'thing' | 'healthy' | 'message'>;
