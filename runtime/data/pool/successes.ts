// The successes of a run: its own, demonstrations and members of the pool. The newest of an instance replaces a failure when all rollouts
// of a group failed. All of them are lessons, and are sent again to a trainer that restarted.

import { deserializeValue } from '../../agents/compact/serialized-value.ts';
import type { TrajectoryId } from '../../core/ids.ts';
import type { Lesson, LessonSort } from '../../core/lesson.ts';
import type { StoredStep } from '../../core/stored-success.ts';
import { type Instance, instanceKey } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Taker, WorkQueue } from '../../fabric/channels.ts';
import type { Groups } from '../groups.ts';
import { lessonOf, packRollout, type StoredRollout, type TrainingRollout } from '../rollouts.ts';
import { effectiveSteps } from './effective-steps.ts';

export interface Success {
  readonly instance: Instance;
  readonly rollout: TrainingRollout;
  readonly sort: Extract<LessonSort, 'successes' | 'demonstrations'>;
  /** Time of the success or acceptance, in milliseconds since 1970. */
  readonly since: number;
  readonly canReplaceFailure: boolean;
}

type StoredRunSuccess = Omit<Success, 'rollout'> & StoredRollout;

/** Per instance: only the newest own success reflects the policy, while demonstrations may show several ways. */
const MAX_PER_INSTANCE: Readonly<Record<Success['sort'], number>> = { successes: 1, demonstrations: 4 };

interface SuccessesOptions {
  readonly lessons: Pick<WorkQueue<Lesson>, 'put'>;
  readonly groups: Pick<Groups, 'store' | 'withdraw'>;
}

export class Successes {
  readonly #options: SuccessesOptions;
  /** By instance, newest first. */
  readonly #stored = new Map<string, readonly StoredRunSuccess[]>();
  /** Removed from the pool, or failed by a manual verdict, with what was stored of them: pending copies of them are rejected. */
  readonly #withdrawn = new Map<TrajectoryId, StoredRunSuccess | undefined>();

  constructor(options: SuccessesOptions) {
    this.#options = options;
  }

  get size(): number {
    return [...this.#stored.values()].reduce((sum, some) => sum + some.length, 0);
  }

  get ids(): ReadonlySet<TrajectoryId> {
    return new Set([...this.#stored.values()].flatMap(some => some.map(({ id }) => id)));
  }

  /** Resolves once the lesson is in the channel to the trainer. */
  async take(success: Success): Promise<void> {
    const { rollout, instance, sort } = success;
    if (this.keep(success)) await this.#options.lessons.put(lessonFrom(sort, instance, rollout));
  }

  /**
   * Stores a success without sending its lesson. A repeated success replaces itself. Returns false for a withdrawn one.
   */
  keep(success: Success): boolean {
    const { rollout, ...about } = success;
    if (this.#withdrawn.has(rollout.id)) return false;
    this.#store({ ...about, ...packRollout(rollout) });
    return true;
  }

  #store(kept: StoredRunSuccess): void {
    const { instance } = kept;
    const others = this.#of(instance).filter(known => known.id !== kept.id);
    const all = [kept, ...others].sort((a, b) => b.since - a.since);
    const stays = (one: StoredRunSuccess) =>
      all.filter(each => competes(one, each)).indexOf(one) < MAX_PER_INSTANCE[one.sort];
    this.#put(instance, all.filter(stays));
  }

  /** Receives replayed successes until the signal. */
  async recall(taker: Taker<StoredStep>, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const taken = await taker.take(signal);
        await this.take(successOfStored(taken.item));
        await taken.acknowledge();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await taker.close();
    }
  }

  /** A trajectory without membership no longer replaces failures and is no longer a lesson, until it has it again. Past updates stay. */
  setMembership(id: TrajectoryId, isMember: boolean): void {
    if (!isMember) {
      this.#withdraw(id);
      return;
    }
    const known = this.#withdrawn.get(id);
    this.#withdrawn.delete(id);
    if (known === undefined) return;
    this.#store(known);
    // Only a closed channel rejects: then the run is over.
    this.#options.lessons.put(storedLesson(known)).catch(() => undefined);
  }

  #withdraw(id: TrajectoryId): void {
    const found = [...this.#stored.values()].flat().find(known => known.id === id);
    this.#withdrawn.set(id, found ?? this.#withdrawn.get(id));
    // The trainer may hold it although newer ones have replaced it here.
    this.#options.lessons.put({ sort: 'successes', kind: '', from: id, steps: [] }).catch(() => undefined);
    for (const [key, some] of this.#stored) {
      const [first] = some;
      if (first === undefined || some.every(known => known.id !== id)) continue;
      const left = some.filter(known => known.id !== id);
      this.#stored.set(key, left);
      const replacement = left.find(({ canReplaceFailure }) => canReplaceFailure);
      this.#options.groups.withdraw(first.instance, id, replacement);
    }
  }

  /** Sends all lessons again, oldest first, so that the newest remain in a full replay buffer. */
  async resendLessons(): Promise<void> {
    const all = [...this.#stored.values()].flat().sort((a, b) => a.since - b.since);
    for (const each of all) await this.#options.lessons.put(storedLesson(each));
  }

  #of(instance: Instance): readonly StoredRunSuccess[] {
    return this.#stored.get(instanceKey(instance)) ?? [];
  }

  #put(instance: Instance, some: readonly StoredRunSuccess[]): void {
    const replacementIn = (all: readonly StoredRunSuccess[]) =>
      all.find(({ canReplaceFailure }) => canReplaceFailure);
    const [before, after] = [replacementIn(this.#of(instance)), replacementIn(some)];
    this.#stored.set(instanceKey(instance), some);
    const { groups } = this.#options;
    if (after === undefined) {
      if (before !== undefined) groups.withdraw(instance, before.id, undefined);
    } else if (after !== before) groups.store(instance, after);
  }
}

/** A success that just arrived. A scripted solution has time 0, so that every success of the run is newer. */
export const successOf = (trajectory: Trajectory, rollout: TrainingRollout): Success => ({
  instance: trajectory.instance,
  rollout,
  sort: trajectory.provenance.kind === 'rollout' ? 'successes' : 'demonstrations',
  since: trajectory.provenance.kind === 'oracle' ? 0 : trajectory.endedAt,
  canReplaceFailure: true,
});

/** A replayed success. It has no order and no version, because old weights chose its steps. */
const successOfStored = ({
  id,
  instance,
  isMember,
  since,
  canReplaceFailure,
  isPart = false,
  steps,
}: StoredStep): Success => ({
  instance,
  rollout: {
    ...{ id, order: undefined, reward: 1, isSuccess: true, oldest: undefined, steps },
    // Its turns: further actions of a turn are not kept.
    actions: isPart ? undefined : steps.length,
  },
  sort: isMember ? 'demonstrations' : 'successes',
  since,
  canReplaceFailure,
});

/** A policy also takes random actions that do nothing, and must not learn them from its successes. People and scripts acted on purpose. */
const lessonFrom = (sort: Success['sort'], { task }: Instance, rollout: TrainingRollout): Lesson => ({
  ...lessonOf(
    sort,
    task,
    sort === 'successes' ? { ...rollout, steps: effectiveSteps(rollout.steps) } : rollout,
  ),
  from: rollout.id,
});

const storedLesson = ({ sort, instance, packed }: StoredRunSuccess): Lesson =>
  lessonFrom(sort, instance, deserializeValue(packed));

/** Successes of the same kind compete for the same slots. */
const competes = (one: StoredRunSuccess, other: StoredRunSuccess): boolean =>
  one.sort === other.sort && one.canReplaceFailure === other.canReplaceFailure;
