// One pre-sort: asks a model agent about trajectories, several at a time, and follows its progress. Knows nothing of where the questions
// come from and where the answers go.

import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { Followers } from '../../core/followers.ts';
import type { TrajectoryId } from '../../core/ids.ts';
import { concernsAllRequests, EndpointError } from '../../endpoints/failure.ts';
import { isPresortRunning, type PresortState } from '../../protocol/daemon/annotation.ts';

/** The result of one request: a suggestion was stored, or the reply has no judgement that can be read. */
export type Presorted = { readonly isDoubted: boolean } | 'unreadable';

/** No request was sent: what the agent would be shown of the trajectory cannot be read. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

/** An opened agent, and the trajectories to ask it about. */
export interface PresortWork {
  readonly wanted: readonly TrajectoryId[];
  /** Requests at a time. */
  readonly parallel: number;
  /** Rejects with NotAsked if it sends no request. */
  ask(id: TrajectoryId, signal: AbortSignal): Promise<Presorted>;
  spentTokens(): number;
  close(): void;
}

interface PresortOptions {
  readonly name: string;
  readonly agent: string;
  /** Rejects with the reason when the agent cannot be opened. */
  readonly open: (signal: AbortSignal) => Promise<PresortWork>;
  readonly clock: Clock;
}

/** So many failures in a row end it, or one for each request at a time: something is wrong with the agent, not with a trajectory. */
const MIN_FAILED_IN_ROW = 3;

export class Presort {
  /** Never rejects: the state has the outcome. */
  readonly over: Promise<void>;
  readonly #options: PresortOptions;
  readonly #stop = new AbortController();
  readonly #followers = new Followers();
  #state: PresortState;
  #failedInRow = 0;

  constructor(options: PresortOptions) {
    this.#options = options;
    this.#state = {
      ...{ presort: options.name, change: 1, status: 'opening', agent: options.agent, total: 0 },
      ...{ suggested: 0, doubted: 0, unreadable: 0, failed: 0, tokens: 0 },
    };
    this.over = this.#run().then(
      () => this.#update({ status: this.#stop.signal.aborted ? 'stopped' : 'ended' }),
      (error: unknown) =>
        this.#update(
          this.#isCancelled ? { status: 'stopped' } : { status: 'failed', message: messageOf(error) },
        ),
    );
  }

  get state(): PresortState {
    return this.#state;
  }

  get isOver(): boolean {
    return !isPresortRunning(this.#state);
  }

  /** Resolves with the state when it differs from the one with this number, or after a while; at once when it is over. */
  async after(change: number): Promise<PresortState> {
    if (this.#state.change === change && !this.isOver) await this.#followers.wait(this.#options.clock);
    return this.#state;
  }

  /** Resolves when nothing is asked any more. Suggestions so far stay. */
  async cancel(): Promise<void> {
    this.#stop.abort(CANCELLED);
    await this.over;
  }

  get #isCancelled(): boolean {
    return this.#stop.signal.reason === CANCELLED;
  }

  async #run(): Promise<void> {
    const work = await this.#options.open(this.#stop.signal);
    try {
      const { wanted, parallel } = work;
      this.#update({ status: 'asking', total: wanted.length });
      // All share one iterator: each takes the next trajectory.
      const left = wanted.values();
      const askers = Array.from({ length: Math.min(parallel, wanted.length) }, () => this.#ask(left, work));
      await Promise.all(askers);
    } finally {
      work.close();
    }
    if (!this.#isCancelled) this.#stop.signal.throwIfAborted();
  }

  async #ask(left: Iterable<TrajectoryId>, work: PresortWork): Promise<void> {
    const { signal } = this.#stop;
    for (const id of left) {
      if (signal.aborted) return;
      try {
        const result = await work.ask(id, signal);
        this.#failedInRow = 0;
        this.#count(result, work);
      } catch (error) {
        if (!signal.aborted) this.#failed(error, work);
      }
    }
  }

  #count(result: Presorted, work: PresortWork): void {
    const { suggested, doubted, unreadable } = this.#state;
    const tokens = work.spentTokens();
    if (result === 'unreadable') this.#update({ unreadable: unreadable + 1, tokens });
    else this.#update({ suggested: suggested + 1, doubted: doubted + Number(result.isDoubted), tokens });
  }

  #failed(error: unknown, { parallel, spentTokens }: PresortWork): void {
    const problem = messageOf(error);
    this.#update({ failed: this.#state.failed + 1, problem, tokens: spentTokens() });
    if (error instanceof NotAsked) return;
    this.#failedInRow += 1;
    if (error instanceof EndpointError && concernsAllRequests(error.reason)) this.#stop.abort(error);
    else if (this.#failedInRow >= Math.max(MIN_FAILED_IN_ROW, parallel))
      this.#stop.abort(
        new Error(
          `The last ${this.#failedInRow} requests failed: ${problem} Correct the cause, and start again; the suggestions so far are stored.`,
        ),
      );
  }

  #update(change: Partial<PresortState>): void {
    this.#state = { ...this.#state, ...change, change: this.#state.change + 1 };
    this.#followers.tell();
  }
}

const CANCELLED = new Error('The pre-sort was cancelled.');
