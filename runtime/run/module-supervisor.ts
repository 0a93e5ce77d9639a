// Runs a module until it is closed: a process that ends by itself, or that stops answering, is replaced after a delay.

import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { backoffMs } from '../core/retry.ts';
import type { ModuleEnd } from './module-process.ts';

/** One process of the module. */
export interface ModuleLife {
  /** Rejects when it ends before it is ready. */
  readonly ready: Promise<void>;
  readonly ended: Promise<ModuleEnd>;
  /** How long it has sent nothing. */
  readonly silentMs: number;
  close(timeoutMs: number): Promise<void>;
}

export interface SupervisorOptions {
  readonly name: string;
  /** May throw: a machine without free memory starts no process. */
  readonly begin: () => ModuleLife;
  /** Where a replacement resumes, for the health report: 'from its last checkpoint'. */
  readonly from?: string;
  /** How long a close waits for the work that the module finishes. A module that sends no heartbeats ends sooner. */
  readonly closeTimeoutMs?: number;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** The backoff starts again after a process that was ready for so long. */
const STABLE_AFTER_MS = 60_000;
/** For the files that a module saves at its end. */
export const CLOSE_TIMEOUT_MS = 20_000;
/** Two heartbeats that are missing. */
const STALLED_AFTER_MS = 4500;
/** A module that keeps dying no longer stops the clock of the run, so that the run ends in time. */
const MAX_FAILURES_OFF_THE_CLOCK = 3;

export class ModuleSupervisor {
  /** Rejects when the first process does not get ready. Another one would fail as well, so none is started. */
  readonly ready: Promise<void>;
  readonly #options: SupervisorOptions;
  readonly #stop = new AbortController();
  readonly #over: Promise<void>;
  #life: ModuleLife;
  #isReady = false;
  #failures = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#life = this.#begin();
    this.ready = this.#life.ready;
    this.#over = this.#supervise();
  }

  /** Whether the module is being replaced or does not answer at the moment. */
  get isStalled(): boolean {
    if (this.#failures > MAX_FAILURES_OFF_THE_CLOCK) return false;
    return !this.#isReady || this.#life.silentMs >= STALLED_AFTER_MS;
  }

  /**
   * Returns how the last process ended. May be called more than once: the shortest deadline applies. A process that is not ready has
   * nothing to save.
   */
  async close(timeoutMs = this.#options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS): Promise<ModuleEnd> {
    this.#stop.abort();
    await this.#life.close(this.#isReady ? timeoutMs : 0);
    await this.#over;
    return await this.#life.ended;
  }

  async #supervise(): Promise<void> {
    const { name, from, clock, health } = this.#options;
    const { signal } = this.#stop;
    const where = from === undefined ? '' : `, ${from}`;
    if (!(await this.#getsReady())) return;
    // When the process got ready; undefined if it did not.
    for (let since: number | undefined = clock.now(); ; ) {
      const { message } = await this.#life.ended;
      if (signal.aborted) return;
      this.#isReady = false;
      const wasStable = since !== undefined && clock.now() - since >= STABLE_AFTER_MS;
      this.#failures = wasStable ? 1 : this.#failures + 1;
      const delayMs = backoffMs(this.#failures);
      health(name, false, `${message} It is started again in ${delayMs / 1000} s${where}.`);
      await sleepUnlessAborted(clock, delayMs, signal);
      if (signal.aborted) return;
      this.#life = this.#begin();
      since = (await this.#getsReady()) ? clock.now() : undefined;
      if (since !== undefined) health(name, true, 'works again');
    }
  }

  #begin(): ModuleLife {
    const { name, begin } = this.#options;
    try {
      return begin();
    } catch (error) {
      return endedAtOnce(
        `The process of ${name} cannot be started: ${sentenceOf(error)} Check the free memory and the process limits of this machine.`,
      );
    }
  }

  async #getsReady(): Promise<boolean> {
    this.#isReady = await this.#life.ready.then(
      () => true,
      // `ended` reports why.
      () => false,
    );
    return this.#isReady;
  }
}

function endedAtOnce(message: string): ModuleLife {
  const ready = Promise.reject(new Error(message));
  // A caller that does not await it learns of the end from `ended`.
  ready.catch(() => undefined);
  return {
    ready,
    ended: Promise.resolve({ wasClosed: false, isClean: false, message }),
    silentMs: 0,
    close: async () => undefined,
  };
}
