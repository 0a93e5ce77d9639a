// The pool of policy workers: batches waiting requests, gives new weights to few workers at a time while the others serve, and
// replaces workers that end or stop answering. batching.ts has the scheduling rules.

import type { Clock } from '../core/clock.ts';
import { BoundaryError, failureOf } from '../core/failure.ts';
import type { Version } from '../core/ids.ts';
import type { Choice, DecisionRequest, PolicyPool, Weights } from '../core/policy.ts';
import { backoffMs } from '../core/retry.ts';
import { PeerEnded } from '../rpc/client.ts';
import { Backlog, type Waiting } from './backlog.ts';
import { type BatchRule, nextLine, nextReady, nextWorker, workersToSwap } from './batching.ts';
import { hasEnded, isRefused, type PolicyWorker } from './policy-worker.ts';
import { SwapPace } from './swap-pace.ts';
import { EMPTY, type WorkerAccount, WorkerSlot } from './worker-slot.ts';

export interface PoolOptions extends BatchRule {
  readonly size: number;
  /** Starts a worker for slot `index`, without weights. It may take long, and may reject. */
  readonly start: (index: number) => Promise<PolicyWorker>;
  /** How many workers at most load new weights at a time. Absent: by the measured times, see swap-pace.ts. */
  readonly maxSwapping?: number;
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
  /** Workers that ended while they decided its batch. */
  deaths: number;
  isAnswered: boolean;
}

/** A request that ended two workers probably ends the next one too. */
const MAX_WORKER_DEATHS = 2;

export class Pool implements PolicyPool {
  readonly #options: PoolOptions;
  readonly #slots: readonly WorkerSlot[];
  readonly #backlog = new Backlog<Pending>();
  /** Batches at the workers, the oldest first. */
  readonly #inFlight = new Map<readonly Pending[], PolicyWorker>();
  readonly #pinned = new Map<Version, Weights>();
  readonly #stop = new AbortController();
  readonly #pace = new SwapPace();
  #newest: Weights | undefined;
  #turns = 0;
  #alarm: number | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = Array.from(
      { length: options.size },
      (_, index) => new WorkerSlot(index, options.clock.now()),
    );
    for (const slot of this.#slots) void this.#start(slot);
  }

  decide(request: DecisionRequest): Promise<Choice> {
    return new Promise((resolve, reject) => {
      const { version } = request;
      const since = this.#options.clock.now();
      const pending: Pending = { request, version, since, resolve, reject, deaths: 0, isAnswered: false };
      if (this.#stop.signal.aborted) return this.#refuse(pending, 'pool', CLOSED);
      this.#backlog.add(pending);
      // Not #go: new weights do not depend on requests, of which there are very many.
      this.#dispatch();
    });
  }

  /** The pool decides with these weights from now on. Ignores weights that are not newer. */
  publish(weights: Weights): void {
    if (this.#newest !== undefined && weights.version <= this.#newest.version) return;
    this.#newest = weights;
    this.#pace.published(this.#options.clock.now());
    this.#go();
  }

  /** Requests may require this version until it is unpinned. */
  pin(weights: Weights): void {
    this.#pinned.set(weights.version, weights);
    for (const slot of this.#slots) this.#send(slot, worker => worker.pin(weights));
  }

  unpin(version: Version): void {
    if (!this.#pinned.delete(version)) return;
    for (const slot of this.#slots) this.#send(slot, worker => worker.unpin(version));
  }

  /** The time of each worker up to now. */
  account(): readonly WorkerAccount[] {
    return this.#slots.map(slot => slot.account(this.#options.clock.now()));
  }

  /** The version of each worker; undefined without weights. */
  versions(): readonly (Version | undefined)[] {
    return this.#slots.map(({ version }) => version);
  }

  /** Ends all workers and rejects pending requests. */
  async close(): Promise<void> {
    this.#stop.abort(new Error(CLOSED));
    for (const batch of [this.#backlog.all(), ...this.#inFlight.keys()])
      for (const pending of batch) this.#refuse(pending, 'pool', CLOSED);
    await Promise.all(this.#slots.map(({ worker }) => worker?.close()));
  }

  /** Assigns batches and weights to every worker that can take them. */
  #go(): void {
    if (this.#stop.signal.aborted) return;
    // Batches first, so that a worker decides between two swaps however fast weights come.
    this.#dispatch();
    if (this.#newest === undefined) return;
    const serving = this.#slots.filter(({ version }) => version !== undefined).length;
    const { maxSwapping = this.#pace.atOnce(serving) } = this.#options;
    for (const slot of workersToSwap(this.#slots, this.#newest.version, maxSwapping)) {
      this.#change(slot, { phase: 'draining' });
      if (slot.batches === 0) void this.#load(slot, this.#newest);
    }
  }

  #dispatch(): void {
    const { maxBatchesPerWorker = 1, maxRequests, clock } = this.#options;
    for (;;) {
      const slot = nextWorker(this.#slots, maxBatchesPerWorker);
      if (slot?.worker === undefined) return;
      const lines = this.#backlog.lines();
      const line = nextLine(lines, this.#options, clock.now());
      if (line === undefined) {
        this.#wakeAt(nextReady(lines, this.#options));
        return;
      }
      void this.#decide(slot, slot.worker, this.#backlog.take(line.version, maxRequests, isSuspect));
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
    // Rejects only when the pool is closed; then no request waits.
    clock.sleep(time - clock.now(), this.#stop.signal).then(wake, () => undefined);
  }

  async #decide(slot: WorkerSlot, worker: PolicyWorker, batch: readonly Pending[]): Promise<void> {
    const load = { batches: slot.batches + 1, requests: slot.requests + batch.length };
    this.#change(slot, { ...load, turn: ++this.#turns });
    this.#inFlight.set(batch, worker);
    try {
      const answers = await worker.decide(batch.map(({ request }) => request));
      slot.failures = 0;
      for (const [index, pending] of batch.entries()) {
        const answer = answers[index] ?? { refused: 'it gave no answer to one of several requests' };
        if (isRefused(answer)) this.#refuse(pending, slot.name, answer.refused);
        else this.#answer(pending, answer);
      }
    } catch (error) {
      if (hasEnded(error)) this.#replace(slot, worker, error);
      else for (const pending of batch) this.#refuse(pending, slot.name, error);
    }
    this.#inFlight.delete(batch);
    // A replacement in the slot has nothing of this batch.
    if (slot.worker === worker) {
      this.#change(slot, { batches: slot.batches - 1, requests: slot.requests - batch.length });
      if (slot.phase === 'draining' && slot.batches === 0 && this.#newest)
        void this.#load(slot, this.#newest);
    }
    this.#go();
  }

  async #load(slot: WorkerSlot, weights: Weights): Promise<void> {
    const { worker } = slot;
    if (worker === undefined) return;
    const { clock } = this.#options;
    const since = clock.now();
    this.#change(slot, { phase: 'loading' });
    try {
      await worker.load(weights);
    } catch (error) {
      return this.#replace(slot, worker, error);
    }
    if (slot.worker !== worker) return;
    this.#change(slot, { phase: 'serving', version: weights.version });
    this.#pace.loaded(clock.now() - since);
    this.#go();
  }

  /**
   * Requeues all batches of a worker: a decision has no side effects, so another worker can make it. A worker that ended was deciding
   * the oldest one; the others only waited in it.
   */
  #requeue({ name }: WorkerSlot, worker: PolicyWorker, isDead: boolean): void {
    const batches = [...this.#inFlight].flatMap(([batch, by]) => (by === worker ? [batch] : []));
    for (const batch of batches) this.#inFlight.delete(batch);
    const [oldest = []] = batches;
    for (const pending of isDead ? oldest : []) {
      pending.deaths += 1;
      if (pending.deaths >= MAX_WORKER_DEATHS)
        this.#refuse(pending, name, `${MAX_WORKER_DEATHS} workers ended while they decided this request`);
    }
    this.#backlog.putBack(batches.flat().filter(({ isAnswered }) => !isAnswered));
  }

  #send(slot: WorkerSlot, call: (worker: PolicyWorker) => Promise<void>): void {
    const { worker } = slot;
    if (worker !== undefined) call(worker).catch(error => this.#replace(slot, worker, error));
  }

  /** Replaces a worker that ended or that could not load weights. */
  #replace(slot: WorkerSlot, worker: PolicyWorker, error: unknown): void {
    if (slot.worker !== worker || this.#stop.signal.aborted) return;
    this.#change(slot, EMPTY);
    this.#failed(slot, error);
    this.#requeue(slot, worker, hasEnded(error));
    void worker.close();
    void this.#start(slot);
    this.#go();
  }

  async #start(slot: WorkerSlot): Promise<void> {
    const { start, clock, health } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (slot.failures > 0) await clock.sleep(backoffMs(slot.failures), signal);
        const worker = await start(slot.index);
        if (signal.aborted) return await worker.close();
        if (slot.failures > 0) health(slot.name, true, 'works again');
        this.#change(slot, { worker, phase: 'serving' });
        // No call of an idle worker reports its end.
        void worker.ended?.then(({ message }) => this.#replace(slot, worker, new PeerEnded(message)));
        for (const weights of this.#pinned.values()) this.#send(slot, () => worker.pin(weights));
        return this.#go();
      } catch (error) {
        if (!signal.aborted) this.#failed(slot, error);
      }
    }
  }

  #failed(slot: WorkerSlot, error: unknown): void {
    slot.failures += 1;
    const pause = backoffMs(slot.failures) / 1000;
    const { message } = failureOf(error, 'policy', slot.name);
    this.#options.health(
      slot.name,
      false,
      `${message.replace(/\.$/, '')}; it is started again in ${pause} s`,
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

  #change(slot: WorkerSlot, changes: Parameters<WorkerSlot['change']>[0]): void {
    slot.change(changes, this.#options.clock.now());
  }
}

const CLOSED = 'The policy pool is closed because its run has ended.';

/** A request of a batch during which a worker ended. It is sent alone, so that the next end of a worker blames no other request. */
const isSuspect = ({ deaths }: Pending): boolean => deaths > 0;
