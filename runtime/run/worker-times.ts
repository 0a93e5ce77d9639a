// The processor time of all policy workers that a host ever had. A worker that ended counts with its last report.

import type { PolicyWorker } from '../rollout/policy-worker.ts';
import type { WorkerTime } from '../rollout/worker-process.ts';

interface Timed extends PolicyWorker {
  spent(): Promise<WorkerTime>;
}

const NONE: WorkerTime = { deciding: 0, whole: 0 };

export class WorkerTimes {
  readonly #last = new Map<Timed, WorkerTime>();

  of(worker: Timed): PolicyWorker {
    this.#last.set(worker, NONE);
    return worker;
  }

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
