// The successes that a run knows: its own, what it was shown, and members of the pool. The newest of an instance stands in where all of
// a group failed; all of them are lessons, and are handed out again to a trainer that has seen none of them.

import { deserializeValue } from '../../agent/serialized-value.ts';
import type { TrajectoryId } from '../../core/ids.ts';
import type { Lesson, LessonSort } from '../../core/lesson.ts';
import type { StoredStep } from '../../core/stored-success.ts';
import { type Instance, instanceKey } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Taker, WorkQueue } from '../../fabric/channels.ts';
import type { Groups } from '../groups.ts';
import { lessonOf, packRollout, type StoredRollout, type TrainingRollout } from '../rollouts.ts';

export interface Success {
  readonly instance: Instance;
  readonly rollout: TrainingRollout;
  readonly sort: Extract<LessonSort, 'successes' | 'demonstrations'>;
  /** Since when it is known to be one, in milliseconds since 1970. */
  readonly since: number;
  readonly standsIn: boolean;
}

type Kept = Omit<Success, 'rollout'> & StoredRollout;

/** Of an instance: the next own success says more about what the policy can do than those before, and somebody may show several ways. */
const MOST: Readonly<Record<Success['sort'], number>> = { successes: 1, demonstrations: 4 };

interface SuccessesOptions {
  readonly lessons: Pick<WorkQueue<Lesson>, 'put'>;
  readonly groups: Pick<Groups, 'store' | 'withdraw'>;
}

export class Successes {
  readonly #options: SuccessesOptions;
  /** By their instances, the newest first. */
  readonly #known = new Map<string, readonly Kept[]>();
  /** Taken out of the pool, or judged otherwise by hand: what is under way of them is not let in any more. */
  readonly #withdrawn = new Set<TrajectoryId>();

  constructor(options: SuccessesOptions) {
    this.#options = options;
  }

  get size(): number {
    return [...this.#known.values()].reduce((sum, some) => sum + some.length, 0);
  }

  /** Resolves once it is on its way to the trainer. */
  async take(success: Success): Promise<void> {
    const { rollout, instance, sort } = success;
    if (this.keep(success)) await this.#options.lessons.put(lessonOf(sort, instance.task, rollout));
  }

  /**
   * As what may stand in; its lesson is another's affair. The same one again takes its own place. Whether it may be kept at all: not what
   * was withdrawn.
   */
  keep(success: Success): boolean {
    const { rollout, ...about } = success;
    const { instance } = about;
    if (this.#withdrawn.has(rollout.id)) return false;
    const others = this.#of(instance).filter(known => known.id !== rollout.id);
    const kept = { ...about, ...packRollout(rollout) };
    const all = [kept, ...others].sort((a, b) => b.since - a.since);
    const stays = (one: Kept) => all.filter(each => isLike(one, each)).indexOf(one) < MOST[one.sort];
    this.#put(instance, all.filter(stays));
    return true;
  }

  /** Takes what is seen again, until the signal. */
  async recall(taker: Taker<StoredStep>, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const taken = await taker.take(signal);
        await this.take(recalled(taken.item));
        await taken.acknowledge();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await taker.close();
    }
  }

  /** One that does not belong here stands in for nothing and is no lesson any more; what was learned from it stays learned. */
  setMembership(id: TrajectoryId, does: boolean): void {
    if (does) this.#withdrawn.delete(id);
    else this.#withdraw(id);
  }

  #withdraw(id: TrajectoryId): void {
    this.#withdrawn.add(id);
    for (const [key, some] of this.#known) {
      const [first] = some;
      if (first === undefined || some.every(known => known.id !== id)) continue;
      const left = some.filter(known => known.id !== id);
      this.#known.set(key, left);
      const instead = left.find(({ standsIn }) => standsIn);
      this.#options.groups.withdraw(first.instance, id, instead);
    }
  }

  /** All lessons once more, the oldest first, so that where there are too many the newest stay. */
  async resendLessons(): Promise<void> {
    const all = [...this.#known.values()].flat().sort((a, b) => a.since - b.since);
    for (const { sort, instance, packed } of all)
      await this.#options.lessons.put(lessonOf(sort, instance.task, deserializeValue(packed)));
  }

  #of(instance: Instance): readonly Kept[] {
    return this.#known.get(instanceKey(instance)) ?? [];
  }

  #put(instance: Instance, some: readonly Kept[]): void {
    const standing = (all: readonly Kept[]) => all.find(({ standsIn }) => standsIn);
    const [before, after] = [standing(this.#of(instance)), standing(some)];
    this.#known.set(instanceKey(instance), some);
    if (after !== undefined && after !== before) this.#options.groups.store(instance, after);
  }
}

/** What has just been played or shown. Shown by a script it is as old as the run: whatever the run achieves itself comes after it. */
export const successOf = (trajectory: Trajectory, rollout: TrainingRollout): Success => ({
  instance: trajectory.instance,
  rollout,
  sort: trajectory.provenance.kind === 'rollout' ? 'successes' : 'demonstrations',
  since: trajectory.provenance.kind === 'oracle' ? 0 : trajectory.endedAt,
  standsIn: true,
});

/** What is seen again. Nobody asked for it here, and its weights are of another day. */
const recalled = ({ id, instance, isMember, since, standsIn, steps }: StoredStep): Success => ({
  instance,
  rollout: { id, order: undefined, reward: 1, isSuccess: true, oldest: undefined, steps },
  sort: isMember ? 'demonstrations' : 'successes',
  since,
  standsIn,
});

/** These make place for one another. */
const isLike = (one: Kept, other: Kept): boolean =>
  one.sort === other.sort && one.standsIn === other.standsIn;
