// Sums the processor time of all policy workers of a host.

import type { PolicyWorker } from '../../rollout/policy-worker.ts';
import type { WorkerTime } from '../../rollout/worker-process.ts';

interface TimedWorker extends PolicyWorker {
  spent(): Promise<WorkerTime>;
}

const NONE: WorkerTime = { deciding: 0, whole: 0 };

export class WorkerTimes {
  readonly #last = new Map<TimedWorker, WorkerTime>();

  track(worker: TimedWorker): PolicyWorker {
    this.#last.set(worker, NONE);
    return worker;
  }

  /** A worker that ended rejects, and counts with its last report. */
  async sum(): Promise<WorkerTime> {
    await Promise.all(
      [...this.#last].map(async ([worker, last]) =>
        this.#last.set(worker, await worker.spent().catch(() => last)),
      ),
    );
    const all = [...this.#last.values()];
    return {
      deciding: all.reduce((sum, { deciding }) => sum + deciding, 0),
      whole: all.reduce((sum, { whole }) => sum + whole, 0),
    };
  }
}
