// Counts ordered rollouts by stage. Each rollout is in exactly one stage at any time. It makes no decisions.

import type { OrderId } from '../core/ids.ts';

/**
 * accepted: trains. filtered: its group carries no gradient, it is a duplicate, or a stored success replaced it.
 * dropped: judged, but too old to train or lost in a restart. failed: the infrastructure broke, so there is no verdict.
 */
export type RolloutEnd = 'accepted' | 'filtered' | 'dropped' | 'failed';

/** playing: ordered and not returned. played: judged, but not yet accepted or rejected for training. */
type RolloutStage = 'playing' | 'played' | RolloutEnd;

/** Plain data. Invariant: submitted is the sum of all stages. */
export type RolloutTally = Readonly<Record<RolloutStage | 'submitted', number>>;

/** Invariant: submitted = accepted + filtered + dropped + failed + running. */
export type RolloutCounts = Readonly<Record<RolloutEnd | 'submitted' | 'running', number>>;

const EMPTY: RolloutTally = {
  submitted: 0,
  playing: 0,
  played: 0,
  accepted: 0,
  filtered: 0,
  dropped: 0,
  failed: 0,
};

/** Without `from`, the rollout is new. */
const moved = (tally: RolloutTally, from: RolloutStage | undefined, to: RolloutStage): RolloutTally => {
  if (from === undefined) return { ...tally, submitted: tally.submitted + 1, [to]: tally[to] + 1 };
  return from === to ? tally : { ...tally, [from]: tally[from] - 1, [to]: tally[to] + 1 };
};

/** Whether at least one episode returned with a verdict. */
export const hasPlayed = ({ played, accepted, filtered, dropped }: RolloutTally): boolean =>
  played + accepted + filtered + dropped > 0;

/**
 * The tally after a restart. Rollouts that were playing have failed. Judged rollouts that did not train, in a batch or not, are dropped;
 * their files remain. `untrained` is the number of accepted ones among them.
 */
export function afterRestart(tally: RolloutTally, untrained: number): RolloutTally {
  const lost = Math.min(untrained, tally.accepted);
  return {
    ...tally,
    playing: 0,
    played: 0,
    failed: tally.failed + tally.playing,
    dropped: tally.dropped + tally.played + lost,
    accepted: tally.accepted - lost,
  };
}

export class RolloutLedger {
  #tally: RolloutTally;
  /** Rollouts that are still playing or played. */
  readonly #open = new Map<OrderId, 'playing' | 'played'>();

  constructor(tally: RolloutTally = EMPTY) {
    this.#tally = tally;
  }

  submit(order: OrderId): void {
    if (this.#open.has(order))
      throw new RangeError(`The order ${order} was already submitted. Give each order its own id.`);
    this.#open.set(order, 'playing');
    this.#tally = moved(this.#tally, undefined, 'playing');
  }

  /** Returns false for a repeated delivery or an unknown order, which do not count. */
  markPlayed(order: OrderId): boolean {
    if (this.#open.get(order) !== 'playing') return false;
    this.#open.set(order, 'played');
    this.#tally = moved(this.#tally, 'playing', 'played');
    return true;
  }

  /** Returns false for a rollout that has already ended. */
  end(order: OrderId, end: RolloutEnd): boolean {
    const from = this.#open.get(order);
    if (from === undefined) return false;
    this.#open.delete(order);
    this.#tally = moved(this.#tally, from, end);
    return true;
  }

  isPlaying(order: OrderId): boolean {
    return this.#open.get(order) === 'playing';
  }

  counts(): RolloutCounts {
    const { playing, played, ...rest } = this.#tally;
    return { ...rest, running: playing + played };
  }

  get playing(): number {
    return this.#tally.playing;
  }

  save(): RolloutTally {
    return this.#tally;
  }
}
