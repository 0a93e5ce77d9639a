// Sums the processor time of pieces of work in this process, independent of other programs on the machine. Overlapping pieces count once.
//
// It reads the processor clock. Wall time multiplied by the share of a processor attributed a fifth of the desktops' time to other work,
// because a thread loses its processor mostly between pieces.

import { performance } from 'node:perf_hooks';

/** Monotonic, in seconds. */
export interface Timing {
  readonly clock: () => number;
  /** Processor time of the process. One call takes half a microsecond. */
  readonly processor: () => number;
}

const THIS_PROCESS: Timing = { clock: () => performance.now() / 1000, processor: ofThisProcess };

export class ProcessorTime {
  readonly #timing: Timing;
  #open = 0;
  /** The start of the open pieces, or the last time they were added to the sum. */
  #since = { clock: 0, processor: 0 };
  #sum = 0;

  constructor(timing = THIS_PROCESS) {
    this.#timing = timing;
  }

  /** Includes the open pieces. */
  get seconds(): number {
    if (this.#open > 0) this.#add();
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

  /** Includes other work of the process until the promise settles. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#begin();
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  #begin(): void {
    if (this.#open === 0) this.#since = this.#now();
    this.#open += 1;
  }

  #end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#add();
  }

  /** A piece runs in one thread, so wall time bounds its processor time. Other threads of the process may have used more. */
  #add(): void {
    const [from, now] = [this.#since, this.#now()];
    this.#sum += Math.min(now.clock - from.clock, now.processor - from.processor);
    this.#since = now;
  }

  #now(): { readonly clock: number; readonly processor: number } {
    return { clock: this.#timing.clock(), processor: this.#timing.processor() };
  }
}

/** Seconds of all threads of the process. */
export function ofThisProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
