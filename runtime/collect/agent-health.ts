// The health of an agent that plays a collection: reports failures of its servers, and ends a collection whose servers are all down. The
// router sends requests again for hours, which suits a training run; somebody waits for a collection.

import type { Clock } from '../core/clock.ts';
import { problemText } from '../protocol/problem-text.ts';

interface AgentHealthOptions {
  /** The name of the agent. */
  readonly agent: string;
  /** The number of its servers; 0 for an agent without servers. */
  readonly servers: number;
  readonly clock: Clock;
}

/** A large model is loaded again within this time. */
const ALL_DOWN_TIMEOUT_MS = 600_000;

export class AgentHealth {
  /** Aborted with the reason when all servers have been down for too long. */
  readonly down: AbortSignal;
  readonly #options: AgentHealthOptions;
  readonly #down = new AbortController();
  readonly #failed = new Set<string>();
  /** Defined while all servers are down. */
  #recovered: AbortController | undefined;
  #listener: ((message: string) => void) | undefined;

  constructor(options: AgentHealthOptions) {
    this.#options = options;
    this.down = this.#down.signal;
  }

  /** Of the router: the name of a server, and whether it answers. */
  readonly report = (thing: string, healthy: boolean, message: string): void => {
    const { servers } = this.#options;
    if (healthy) this.#failed.delete(thing);
    else {
      this.#failed.add(thing);
      this.#listener?.(problemText(thing, message));
    }
    if (servers === 0 || this.#failed.size < servers) this.close();
    else if (this.#recovered === undefined) this.#wait(message);
  };

  /** Failures before the first attempt are not reported: the agent opens, or rejects with the reason. */
  listen(listener: (message: string) => void): void {
    this.#listener = listener;
  }

  /** Stops waiting for a recovery. */
  close(): void {
    this.#recovered?.abort();
    this.#recovered = undefined;
  }

  #wait(message: string): void {
    const { agent, clock } = this.#options;
    const recovered = new AbortController();
    this.#recovered = recovered;
    clock.sleep(ALL_DOWN_TIMEOUT_MS, recovered.signal).then(
      () =>
        this.#down.abort(
          new Error(
            `No server of agent '${agent}' has answered for ${ALL_DOWN_TIMEOUT_MS / 60_000} minutes: ${message} Start it, then start again; finished episodes are stored.`,
          ),
        ),
      // A server recovered, or the collection ended.
      () => undefined,
    );
  }
}
