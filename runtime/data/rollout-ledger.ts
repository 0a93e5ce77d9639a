// What became of every rollout that was ordered. Each is in exactly one place at every moment; the counters say how many are where.
// It decides nothing.

import type { OrderId } from '../core/ids.ts';

/**
 * accepted: trains. filtered: its group says nothing that could be learned, or a stored success took its place.
 * dropped: it was judged, and was too old to train or is given up. failed: the infrastructure broke, so there is no verdict.
 */
export type End = 'accepted' | 'filtered' | 'dropped' | 'failed';

/** playing: ordered, and not back yet. played: judged, and nobody has decided yet whether it trains. */
type RolloutStage = 'playing' | 'played' | End;

/** Plain numbers. Law: submitted is the sum of all places. */
export type Tally = Readonly<Record<RolloutStage | 'submitted', number>>;

/** Law: submitted = accepted + filtered + dropped + failed + running. */
export type Counts = Readonly<Record<End | 'submitted' | 'running', number>>;

const EMPTY: Tally = {
  submitted: 0,
  playing: 0,
  played: 0,
  accepted: 0,
  filtered: 0,
  dropped: 0,
  failed: 0,
};

/** Where `from` is absent, one more was ordered. */
const moved = (tally: Tally, from: RolloutStage | undefined, to: RolloutStage): Tally => {
  if (from === undefined) return { ...tally, submitted: tally.submitted + 1, [to]: tally[to] + 1 };
  return from === to ? tally : { ...tally, [from]: tally[from] - 1, [to]: tally[to] + 1 };
};

/** Whether anybody heard of an episode that was played. */
export const hasPlayed = ({ played, accepted, filtered, dropped }: Tally): boolean =>
  played + accepted + filtered + dropped > 0;

/**
 * What a new process finds. Who was playing never came to a verdict, and so failed. What was judged but had not trained, in a
 * batch or not, went with the process that held it: it is dropped, and its file remains. `untrained` are of the accepted.
 */
export function afterRestart(tally: Tally, untrained: number): Tally {
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
  #tally: Tally;
  /** Of those whose end is not known yet. */
  readonly #open = new Map<OrderId, 'playing' | 'played'>();

  constructor(tally: Tally = EMPTY) {
    this.#tally = tally;
  }

  submitted(order: OrderId): void {
    if (this.#open.has(order))
      throw new RangeError(`The order ${order} was booked before; give each its own id.`);
    this.#open.set(order, 'playing');
    this.#tally = moved(this.#tally, undefined, 'playing');
  }

  /** Whether it is the first time: what is delivered again, or was never ordered here, is not counted. */
  played(order: OrderId): boolean {
    if (this.#open.get(order) !== 'playing') return false;
    this.#open.set(order, 'played');
    this.#tally = moved(this.#tally, 'playing', 'played');
    return true;
  }

  /** Whether it was open. What has ended stays so. */
  ended(order: OrderId, end: End): boolean {
    const from = this.#open.get(order);
    if (from === undefined) return false;
    this.#open.delete(order);
    this.#tally = moved(this.#tally, from, end);
    return true;
  }

  isPlaying(order: OrderId): boolean {
    return this.#open.get(order) === 'playing';
  }

  counts(): Counts {
    const { playing, played, ...rest } = this.#tally;
    return { ...rest, running: playing + played };
  }

  get playing(): number {
    return this.#tally.playing;
  }

  save(): Tally {
    return this.#tally;
  }
}
