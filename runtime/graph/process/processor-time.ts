// Processor time of pieces of work in this process, added up. What other programs on the machine take does not lengthen it, as it
// would lengthen the time on a clock. Pieces that overlap count once.
//
// To ask for processor time takes longer than many a piece of work. So pieces are timed by a clock, and of that time as much is counted
// as the thread, whenever it was busy, really had of a processor.

import { performance } from 'node:perf_hooks';
import type { Session } from '../session.ts';

/** All in seconds, and growing. */
export interface Timing {
  readonly clock: () => number;
  /** In which the thread was not idle, by the clock. */
  readonly busy: () => number;
  /** That the process has taken of processors. */
  readonly processor: () => number;
}

const THIS_PROCESS: Timing = {
  clock: () => performance.now() / 1000,
  busy: () => performance.eventLoopUtilization().active / 1000,
  processor: ofThisProcess,
};

export class ProcessorTime {
  readonly #timing: Timing;
  #open = 0;
  #since = 0;
  #sum = 0;
  /** By the clock, since it was last asked for. */
  #passed = 0;
  #last: { readonly busy: number; readonly processor: number };

  constructor(timing = THIS_PROCESS) {
    this.#timing = timing;
    this.#last = { busy: timing.busy(), processor: timing.processor() };
  }

  /** So far. The more often it is asked for, the better it follows what the machine does besides: once a second is enough. */
  get seconds(): number {
    const { clock, busy, processor } = this.#timing;
    if (this.#open > 0) {
      const now = clock();
      this.#passed += now - this.#since;
      this.#since = now;
    }
    const next = { busy: busy(), processor: processor() };
    const wasBusy = Math.max(next.busy - this.#last.busy, this.#passed);
    // Other threads of the process may take some as well: then all of it was had.
    const had = wasBusy > 0 ? Math.min(1, (next.processor - this.#last.processor) / wasBusy) : 1;
    this.#sum += had * this.#passed;
    this.#passed = 0;
    this.#last = next;
    return this.#sum;
  }

  within<T>(work: () => T): T {
    this.#begin();
    try {
      return work();
    } finally {
      this.#end();
    }
  }

  /** With whatever else the process does until it resolves. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#begin();
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  #begin(): void {
    if (this.#open === 0) this.#since = this.#timing.clock();
    this.#open += 1;
  }

  #end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#passed += this.#timing.clock() - this.#since;
  }
}

/** Seconds, of all its threads. */
export function ofThisProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The same session, whose runs are timed: tensors made and read, and all that the runtime computes. */
export const timedSession = (session: Session, time: ProcessorTime): Session => ({
  run: feeds => time.during(() => session.run(feeds)),
  read: names => session.read(names),
  write: state => session.write(state),
  close: () => session.close(),
});
