// MobileRL's adaptive positive replay: a buffer of the successes with the highest advantages of each batch, which fill a share of the
// trajectories of later batches.

import {
  deserializeValue,
  type SerializedValue,
  serializeValue,
} from '../../agents/compact/serialized-value.ts';
import type { BatchGroup } from '../../core/batch.ts';
import { shuffled } from '../../core/chance.ts';
import type { TrajectoryId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import { withoutProbabilities } from '../../core/trace.ts';

export interface PositiveReplayOptions {
  /** γ: the share of replayed trajectories in a batch. */
  readonly share: number;
  /** κ: the successes of a batch that enter the buffer. */
  readonly perBatch: number;
}

/** A success of a batch: the part of its group with its steps. */
export interface PositiveCandidate {
  readonly id: TrajectoryId;
  readonly advantage: number;
  readonly group: BatchGroup;
}

/** Older successes leave the buffer first. */
const MAX_BUFFERED = 64;

/** The replayed trajectories that are a share of a batch with so many others: γ·(n + r) = r. */
export const replayedCount = (others: number, share: number): number =>
  share === 0 ? 0 : Math.round((others * share) / (1 - share));

export class PositiveReplay {
  readonly #options: PositiveReplayOptions;
  readonly #random: Random;
  /** Oldest first. */
  #buffer: { readonly id: TrajectoryId; readonly packed: SerializedValue<BatchGroup> }[] = [];

  constructor(options: PositiveReplayOptions, random: Random) {
    this.#options = options;
    this.#random = random;
  }

  /** Keeps the best candidates of a batch. Their old log-probabilities are left out: the importance weight would be near 0. */
  add(candidates: readonly PositiveCandidate[]): void {
    const { share, perBatch } = this.#options;
    if (share === 0) return;
    const best = candidates
      .filter(({ advantage }) => advantage > 0)
      .toSorted((a, b) => b.advantage - a.advantage)
      .slice(0, perBatch);
    const added = best.map(({ id, group }) => {
      const steps = group.steps.map(step => ({ ...step, choice: withoutProbabilities(step.choice) }));
      return { id, packed: serializeValue<BatchGroup>({ ...group, steps }) };
    });
    this.#buffer = [...this.#buffer, ...added].slice(-MAX_BUFFERED);
  }

  /** Successes for a batch with so many other trajectories. The buffer keeps them. */
  draw(others: number): readonly BatchGroup[] {
    const count = replayedCount(others, this.#options.share);
    if (count === 0 || this.#buffer.length === 0) return [];
    return shuffled(this.#random, this.#buffer)
      .slice(0, count)
      .map(({ packed }) => deserializeValue(packed));
  }

  get ids(): readonly TrajectoryId[] {
    return this.#buffer.map(({ id }) => id);
  }

  /** A rollout that a person judged a failure is not replayed. */
  remove(id: TrajectoryId): void {
    this.#buffer = this.#buffer.filter(each => each.id !== id);
  }
}
