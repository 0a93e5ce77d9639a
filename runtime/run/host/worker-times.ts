// Sums the processor time of all policy workers of a host.

import type { PolicyWorker } from '../../rollout/policy-worker.ts';
import type { WorkerTime } from '../../rollout/worker-process.ts';
import { PeerEnded } from '../../rpc/client.ts';

interface TimedWorker extends PolicyWorker {
  spent(): Promise<WorkerTime>;
}

const NONE: WorkerTime = { deciding: 0, whole: 0 };

export class WorkerTimes {
  readonly #last = new Map<TimedWorker, WorkerTime>();
  /** Of workers that have ended, together. */
  #ended: WorkerTime = NONE;

  track(worker: TimedWorker): PolicyWorker {
    this.#last.set(worker, NONE);
    return worker;
  }

  /** A worker that ended or does not answer counts with its last report. */
  async sum(): Promise<WorkerTime> {
    await Promise.all([...this.#last.keys()].map(worker => this.#ask(worker)));
    return [...this.#last.values()].reduce(added, this.#ended);
  }

  async #ask(worker: TimedWorker): Promise<void> {
    try {
      this.#last.set(worker, await worker.spent());
    } catch (error) {
      const last = this.#last.get(worker);
      if (!(error instanceof PeerEnded) || last === undefined) return;
      this.#last.delete(worker);
      this.#ended = added(this.#ended, last);
    }
  }
}

const added = (one: WorkerTime, other: WorkerTime): WorkerTime => ({
  deciding: one.deciding + other.deciding,
  whole: one.whole + other.whole,
});
