// A slot of the pool, which one worker after another fills: its scheduling state and how its time was spent.

import type { Version } from '../core/ids.ts';
import type { Phase, WorkerState } from './batching.ts';
import type { PolicyWorker } from './policy-worker.ts';

/** While a worker starts it counts as dead; without weights, or with nothing to decide, as idle. */
type WorkerUse = 'deciding' | 'loading' | 'idle' | 'dead';

/** Milliseconds of each use. */
export type WorkerAccount = Readonly<Record<WorkerUse, number>>;

interface Changes {
  worker: PolicyWorker | undefined;
  phase: Phase;
  version: Version | undefined;
  batches: number;
  requests: number;
  turn: number;
}

/** What a place is between two workers. */
export const EMPTY: Changes = {
  ...{ worker: undefined, phase: 'dead', version: undefined },
  ...{ batches: 0, requests: 0, turn: 0 },
};

export class WorkerSlot implements WorkerState {
  readonly name: string;
  readonly index: number;
  /** How often a worker ended here, or did not start, since one of them last answered. */
  failures = 0;
  readonly #spent: Record<WorkerUse, number> = { deciding: 0, loading: 0, idle: 0, dead: 0 };
  #is: Changes = EMPTY;
  #since: number;

  constructor(index: number, now: number) {
    this.index = index;
    this.name = `policy worker ${index}`;
    this.#since = now;
  }

  get worker(): PolicyWorker | undefined {
    return this.#is.worker;
  }
  get phase(): Phase {
    return this.#is.phase;
  }
  get version(): Version | undefined {
    return this.#is.version;
  }
  get batches(): number {
    return this.#is.batches;
  }
  get requests(): number {
    return this.#is.requests;
  }
  get turn(): number {
    return this.#is.turn;
  }

  change(changes: Readonly<Partial<Changes>>, now: number): void {
    this.#settle(now);
    this.#is = { ...this.#is, ...changes };
  }

  account(now: number): WorkerAccount {
    this.#settle(now);
    return { ...this.#spent };
  }

  #settle(now: number): void {
    this.#spent[this.#use()] += now - this.#since;
    this.#since = now;
  }

  #use(): WorkerUse {
    if (this.phase === 'dead' || this.phase === 'loading') return this.phase;
    return this.batches > 0 ? 'deciding' : 'idle';
  }
}
