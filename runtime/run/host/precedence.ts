// People first: while somebody acts on a training desktop of this host, its agents decide nothing and nothing is explored. On few cores an
// input would otherwise wait for the rollouts.

import { type Agent, withNext } from '../../core/agent.ts';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';

/** A hand that types or drags acts again by then. */
const YIELD_MS = 1000;

export class Precedence {
  readonly #clock: Clock;
  #until = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A person acts now. */
  acted(): void {
    this.#until = this.#clock.now() + YIELD_MS;
  }

  /** Resolves once nobody acts, or when the signal is aborted. */
  async turn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#clock.now() < this.#until)
      await sleepUnlessAborted(this.#clock, this.#until - this.#clock.now(), signal);
  }

  /** The same agent, which waits for its turn before each decision. */
  behind(agent: Agent): Agent {
    return {
      id: agent.id,
      begin: task => {
        const session = agent.begin(task);
        return withNext(session, async screen => {
          await this.turn(task.signal);
          return session.next(screen);
        });
      },
    };
  }
}
