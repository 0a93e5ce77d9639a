// What the trainer tells of itself: figures, what it waits for, and what is not right. Nobody may depend on it.

import type { Clock } from '../core/clock.ts';
import type { Event } from '../core/event.ts';
import type { Version } from '../core/ids.ts';
import type { Topic } from '../fabric/channels.ts';
import type { Found } from './checkpoint-folder.ts';
import { Meter } from './meter.ts';
import type { Turn } from './update-step.ts';

export class TrainerMetrics {
  readonly #events: Topic<Event>;
  readonly #clock: Clock;
  readonly #meter: Meter;
  #isSound = true;
  /** What could not be written when it was tried last. */
  readonly #unwritten = new Set<string>();

  constructor(events: Topic<Event>, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
    this.#meter = new Meter(clock.now());
  }

  note(name: string, value: number): void {
    this.#meter.note(name, value);
  }

  /** How many versions older than these weights the oldest steps of a batch's trajectories are, now that it is trained on. */
  staleness(oldest: readonly Version[], version: Version): void {
    for (const each of oldest) {
      const behind = Math.max(0, version - each);
      this.#meter.note('off_policy/mean', behind);
      this.#meter.noteHighest('off_policy/max', behind);
    }
  }

  /** All that was noted since the last time. */
  figures(): void {
    const at = this.#clock.now();
    for (const { name, value } of this.#meter.told(at)) this.#tell({ kind: 'metric', name, value });
  }

  rests(): void {
    this.#meter.rests(this.#clock.now());
  }

  waits(reason: string, since: number): void {
    this.#tell({ kind: 'waiting', reason, since });
  }

  works(): void {
    this.#meter.works(this.#clock.now());
    this.#tell({ kind: 'waiting', reason: undefined, since: this.#clock.now() });
  }

  learned({ updates, ofGroups, imitated }: Turn, policyWeight: number): void {
    for (const { gradientNorm } of updates) this.note('actor/grad_norm', gradientNorm);
    if (ofGroups > 0) {
      // Each update has the part of the weighted mean that its rows have.
      const mean = (values: readonly number[]) => values.reduce((all, each) => all + each, 0) / policyWeight;
      this.note('actor/ppo_kl', mean(updates.map(({ kl }) => kl)));
      this.note('actor/pg_clipfrac', mean(updates.map(({ clipped }) => clipped)));
    }
    if (updates.length === 0) return;
    for (const [sort, rows] of imitated) this.note(`imitated/${sort}`, rows);
    const isSound = updates.every(({ applied }) => applied);
    if (isSound === this.#isSound) return;
    this.#isSound = isSound;
    const refused =
      'an update was refused and changed nothing: its loss, gradient or new weights were no sound numbers; lower the learning rate if this goes on';
    this.#health('updates', isSound, isSound ? 'updates are sound again' : refused);
  }

  unreadable(thing: string, { message }: Error): void {
    this.#health(thing, false, `${message} It is not learned from.`);
  }

  /** Told once when it begins to fail, and once when it works again. */
  written(thing: string, failure: unknown): void {
    if ((failure !== undefined) === this.#unwritten.has(thing)) return;
    if (failure === undefined) {
      this.#unwritten.delete(thing);
      this.#health(thing, true, 'They are written again.');
    } else {
      this.#unwritten.add(thing);
      const why = failure instanceof Error ? failure.message : String(failure);
      this.#health(thing, false, `They cannot be written: ${why}. Training goes on, and it is tried again.`);
    }
  }

  skipped(found: Found | undefined): void {
    for (const { file, why } of found?.skipped ?? [])
      this.#health(file, false, `${why} It was skipped; the training goes on from '${found?.file}'.`);
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
