// A slot of the pool, which one worker after another fills: its scheduling state, and how its time was spent.

import type { Version } from '../core/ids.ts';
import type { Phase, WorkerState } from './batching.ts';
import type { PolicyWorker } from './policy-worker.ts';

/** A worker that starts counts as dead; one without weights or batches as idle. */
type WorkerUse = 'deciding' | 'loading' | 'idle' | 'dead';

/** Milliseconds of each use. */
export type WorkerAccount = Readonly<Record<WorkerUse, number>>;

interface SlotState extends WorkerState {
  readonly worker: PolicyWorker | undefined;
}

/** The state between two workers. */
export const EMPTY: SlotState = {
  ...{ worker: undefined, phase: 'dead', version: undefined },
  ...{ batches: 0, requests: 0, turn: 0 },
};

export class WorkerSlot implements SlotState {
  readonly name: string;
  readonly index: number;
  worker: PolicyWorker | undefined;
  phase: Phase = EMPTY.phase;
  version: Version | undefined;
  batches = EMPTY.batches;
  requests = EMPTY.requests;
  turn = EMPTY.turn;
  /** Failed workers and failed starts since a worker last answered. */
  failures = 0;
  readonly #spent: Record<WorkerUse, number> = { deciding: 0, loading: 0, idle: 0, dead: 0 };
  #since: number;

  constructor(index: number, now: number) {
    this.index = index;
    this.name = `policy worker ${index}`;
    this.#since = now;
  }

  change(changes: Readonly<Partial<SlotState>>, now: number): void {
    this.#addTime(now);
    Object.assign(this, changes);
  }

  account(now: number): WorkerAccount {
    this.#addTime(now);
    return { ...this.#spent };
  }

  #addTime(now: number): void {
    this.#spent[this.#use()] += now - this.#since;
    this.#since = now;
  }

  #use(): WorkerUse {
    if (this.phase === 'dead' || this.phase === 'loading') return this.phase;
    return this.batches > 0 ? 'deciding' : 'idle';
  }
}
