// The pool of policy workers: batches waiting requests, gives new weights to one worker after another while the others serve, and
// replaces workers that end or stop answering. batching.ts has the scheduling rules.

import type { Clock } from '../core/clock.ts';
import { BoundaryError, failureOf } from '../core/failure.ts';
import type { Version } from '../core/ids.ts';
import type { Choice, DecisionRequest, PolicyPool, Weights } from '../core/policy.ts';
import { backoffMs } from '../core/retry.ts';
import { Backlog, type Waiting } from './backlog.ts';
import { type BatchRule, nextLine, nextReady, nextWorker, workersToSwap } from './batching.ts';
import { hasEnded, isRefused, type PolicyWorker } from './policy-worker.ts';
import { EMPTY, type WorkerAccount, WorkerSlot } from './worker-slot.ts';

export interface PoolOptions extends BatchRule {
  readonly size: number;
  /** Starts a worker for slot `index`, without weights. It may take long, and may reject. */
  readonly start: (index: number) => Promise<PolicyWorker>;
  /** How many workers at most load new weights at a time. */
  readonly maxSwapping: number;
  /** How many batches a worker has at most. With 2, the next one is in transit while one is decided. */
  readonly maxBatchesPerWorker?: number;
  readonly clock: Clock;
  /** Reports a worker that does not start or ends, and its replacement. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

interface Pending extends Waiting {
  readonly request: DecisionRequest;
  readonly resolve: (choice: Choice) => void;
  readonly reject: (error: BoundaryError) => void;
  /** Workers that ended while they held it. */
  deaths: number;
  isAnswered: boolean;
}

/** A request that ended two workers probably ends the next one too. */
const MAX_WORKER_DEATHS = 2;

export class Pool implements PolicyPool {
  readonly #options: PoolOptions;
  readonly #places: readonly WorkerSlot[];
  readonly #backlog = new Backlog<Pending>();
  /** What workers hold, and have not answered. */
  readonly #held = new Set<readonly Pending[]>();
  readonly #pinned = new Map<Version, Weights>();
  readonly #stop = new AbortController();
  #newest: Weights | undefined;
  #turns = 0;
  #alarm: number | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#places = Array.from(
      { length: options.size },
      (_, index) => new WorkerSlot(index, options.clock.now()),
    );
    for (const place of this.#places) void this.#start(place);
  }

  decide(request: DecisionRequest): Promise<Choice> {
    return new Promise((resolve, reject) => {
      const { version } = request;
      const since = this.#options.clock.now();
      const pending: Pending = { request, version, since, resolve, reject, deaths: 0, isAnswered: false };
      if (this.#stop.signal.aborted) return this.#refuse(pending, 'pool', CLOSED);
      this.#backlog.add(pending);
      // Who takes new weights does not depend on who waits, and there are many workers and very many requests.
      this.#giveAll();
    });
  }

  /** The pool decides with these weights from now on. Ignores weights that are not newer. */
  publish(weights: Weights): void {
    if (this.#newest !== undefined && weights.version <= this.#newest.version) return;
    this.#newest = weights;
    this.#go();
  }

  /** Requests may require this version until it is unpinned. */
  pin(weights: Weights): void {
    this.#pinned.set(weights.version, weights);
    for (const place of this.#places) this.#tell(place, worker => worker.pin(weights));
  }

  unpin(version: Version): void {
    if (!this.#pinned.delete(version)) return;
    for (const place of this.#places) this.#tell(place, worker => worker.unpin(version));
  }

  /** Of each worker, up to now. */
  account(): readonly WorkerAccount[] {
    return this.#places.map(place => place.account(this.#options.clock.now()));
  }

  /** What each worker decides with; undefined where it has no weights. */
  versions(): readonly (Version | undefined)[] {
    return this.#places.map(({ version }) => version);
  }

  /** Ends all workers and rejects pending requests. */
  async close(): Promise<void> {
    this.#stop.abort(new Error(CLOSED));
    for (const batch of [this.#backlog.all(), ...this.#held])
      for (const pending of batch) this.#refuse(pending, 'pool', CLOSED);
    await Promise.all(this.#places.map(({ worker }) => worker?.close()));
  }

  /** Assigns batches and weights to every worker that can take them. */
  #go(): void {
    if (this.#stop.signal.aborted) return;
    // In this order a worker decides something between two swaps, however fast weights come.
    this.#giveAll();
    if (this.#newest === undefined) return;
    for (const place of workersToSwap(this.#places, this.#newest.version, this.#options.maxSwapping)) {
      this.#change(place, { phase: 'draining' });
      if (place.batches === 0) void this.#load(place, this.#newest);
    }
  }

  #giveAll(): void {
    const { maxBatchesPerWorker = 1, maxRequests, clock } = this.#options;
    for (;;) {
      const place = nextWorker(this.#places, maxBatchesPerWorker);
      if (place?.worker === undefined) return;
      const lines = this.#backlog.lines();
      const line = nextLine(lines, this.#options, clock.now());
      if (line === undefined) {
        this.#wakeAt(nextReady(lines, this.#options));
        return;
      }
      void this.#give(place, place.worker, this.#backlog.take(line.version, maxRequests));
    }
  }

  #wakeAt(time: number | undefined): void {
    if (time === undefined || (this.#alarm !== undefined && this.#alarm <= time)) return;
    const { clock } = this.#options;
    this.#alarm = time;
    const wake = () => {
      if (this.#alarm === time) this.#alarm = undefined;
      this.#go();
    };
    // It rejects only when the pool is closed, and then nobody waits.
    clock.sleep(time - clock.now(), this.#stop.signal).then(wake, () => undefined);
  }

  async #give(place: WorkerSlot, worker: PolicyWorker, batch: readonly Pending[]): Promise<void> {
    const held = { batches: place.batches + 1, requests: place.requests + batch.length };
    this.#change(place, { ...held, turn: ++this.#turns });
    this.#held.add(batch);
    try {
      const answers = await worker.decide(batch.map(({ request }) => request));
      place.failures = 0;
      for (const [index, pending] of batch.entries()) {
        const answer = answers[index] ?? { refused: 'it gave no answer to one of several requests' };
        if (isRefused(answer)) this.#refuse(pending, place.name, answer.refused);
        else this.#answer(pending, answer);
      }
    } catch (error) {
      if (hasEnded(error)) this.#again(place, batch);
      else for (const pending of batch) this.#refuse(pending, place.name, error);
      if (hasEnded(error)) this.#lost(place, worker, error);
    }
    this.#held.delete(batch);
    // A replacement in the slot has nothing of this batch.
    if (place.worker === worker) {
      this.#change(place, { batches: place.batches - 1, requests: place.requests - batch.length });
      if (place.phase === 'draining' && place.batches === 0 && this.#newest)
        void this.#load(place, this.#newest);
    }
    this.#go();
  }

  async #load(place: WorkerSlot, weights: Weights): Promise<void> {
    const { worker } = place;
    if (worker === undefined) return;
    this.#change(place, { phase: 'loading' });
    try {
      await worker.load(weights);
    } catch (error) {
      return this.#lost(place, worker, error);
    }
    if (place.worker !== worker) return;
    this.#change(place, { phase: 'serving', version: weights.version });
    this.#go();
  }

  /** Requeues a batch: a decision has no side effects, so another worker can make it. */
  #again(place: WorkerSlot, batch: readonly Pending[]): void {
    for (const pending of batch) pending.deaths += 1;
    const [given, kept] = [batch.filter(isGivenUp), batch.filter(each => !isGivenUp(each))];
    for (const pending of given)
      this.#refuse(
        pending,
        place.name,
        `${MAX_WORKER_DEATHS} workers ended while they were to decide this request`,
      );
    this.#backlog.putBack(kept.filter(({ isAnswered }) => !isAnswered));
  }

  #tell(place: WorkerSlot, call: (worker: PolicyWorker) => Promise<void>): void {
    const { worker } = place;
    if (worker !== undefined) call(worker).catch(error => this.#lost(place, worker, error));
  }

  /** Replaces a worker that ended or that could not load weights. */
  #lost(place: WorkerSlot, worker: PolicyWorker, error: unknown): void {
    if (place.worker !== worker || this.#stop.signal.aborted) return;
    this.#change(place, EMPTY);
    this.#failed(place, error);
    void worker.close();
    void this.#start(place);
    this.#go();
  }

  async #start(place: WorkerSlot): Promise<void> {
    const { start, clock, health } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (place.failures > 0) await clock.sleep(backoffMs(place.failures), signal);
        const worker = await start(place.index);
        if (signal.aborted) return await worker.close();
        if (place.failures > 0) health(place.name, true, 'works again');
        this.#change(place, { worker, phase: 'serving' });
        for (const weights of this.#pinned.values()) this.#tell(place, () => worker.pin(weights));
        return this.#go();
      } catch (error) {
        if (!signal.aborted) this.#failed(place, error);
      }
    }
  }

  #failed(place: WorkerSlot, error: unknown): void {
    place.failures += 1;
    const pause = backoffMs(place.failures) / 1000;
    const { message } = failureOf(error, 'policy', place.name);
    this.#options.health(
      place.name,
      false,
      `${message.replace(/\.$/, '')}; it is started anew in ${pause} s`,
    );
  }

  #answer(pending: Pending, choice: Choice): void {
    if (pending.isAnswered) return;
    pending.isAnswered = true;
    pending.resolve(choice);
  }

  #refuse(pending: Pending, thing: string, cause: unknown): void {
    if (pending.isAnswered) return;
    pending.isAnswered = true;
    const { message } = failureOf(cause, 'policy', thing);
    pending.reject(new BoundaryError({ boundary: 'policy', thing, message }, { cause }));
  }

  #change(place: WorkerSlot, changes: Parameters<WorkerSlot['change']>[0]): void {
    place.change(changes, this.#options.clock.now());
  }
}

const CLOSED = 'The policy pool is closed because its run has ended.';

const isGivenUp = ({ deaths }: Pending): boolean => deaths >= MAX_WORKER_DEATHS;
