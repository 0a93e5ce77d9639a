// Adds up the processor time of pieces of work in this process. Other programs on the machine do not lengthen it. Overlapping pieces count
// once.
//
// Each piece is measured by the processor clock. Wall time multiplied by the share of a processor attributed a fifth of the desktops' time
// to other work, because a thread loses its processor mostly between pieces.

import { performance } from 'node:perf_hooks';

/** Both in seconds, and growing. */
export interface Timing {
  readonly clock: () => number;
  /** That the process has taken of processors. To ask takes half a microsecond of it. */
  readonly processor: () => number;
}

const THIS_PROCESS: Timing = { clock: () => performance.now() / 1000, processor: ofThisProcess };

export class ProcessorTime {
  readonly #timing: Timing;
  #open = 0;
  /** When what is open began, or was last added. */
  #since = { clock: 0, processor: 0 };
  #sum = 0;

  constructor(timing = THIS_PROCESS) {
    this.#timing = timing;
  }

  /** So far, with what is under way. */
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
    if (this.#open === 0) this.#since = this.#now();
    this.#open += 1;
  }

  #end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#add();
  }

  /** Other threads of the process may have taken some meanwhile: a piece is of one thread, and took no more than the clock says. */
  #add(): void {
    const [from, now] = [this.#since, this.#now()];
    this.#sum += Math.min(now.clock - from.clock, now.processor - from.processor);
    this.#since = now;
  }

  #now(): { readonly clock: number; readonly processor: number } {
    return { clock: this.#timing.clock(), processor: this.#timing.processor() };
  }
}

/** Seconds, of all its threads. */
export function ofThisProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
