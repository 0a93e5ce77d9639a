// The health of an agent that plays a collection: reports failures of its servers, and ends a collection whose servers are all down. The
// router sends requests again for hours, which suits a training run; somebody waits for a collection. The servers of the built-in policy
// are its policy workers.

import { COMPACT_AGENT } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { problemText } from '../protocol/problem-text.ts';

interface AgentHealthOptions {
  /** The name of the agent. */
  readonly agent: string;
  /** The number of its servers. */
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
  /** Messages that arrive before there is a listener. */
  readonly #early: string[] = [];
  #listener = (message: string): void => void this.#early.push(message);

  constructor(options: AgentHealthOptions) {
    this.#options = options;
    this.down = this.#down.signal;
  }

  /** Of the router, or of the pool of policy workers: the name of a server, and whether it answers. */
  readonly report = (thing: string, healthy: boolean, message: string): void => {
    const { servers } = this.#options;
    if (healthy) this.#failed.delete(thing);
    else {
      this.#failed.add(thing);
      this.#listener(problemText(thing, message));
    }
    if (this.#failed.size < servers) this.close();
    else if (this.#recovered === undefined) this.#wait(message);
  };

  listen(listener: (message: string) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
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
      () => this.#down.abort(new Error(downMessage(agent, message))),
      // A server recovered, or the collection ended.
      () => undefined,
    );
  }
}

function downMessage(agent: string, why: string): string {
  const [server, remedy] =
    agent === COMPACT_AGENT
      ? ['policy worker', 'Correct the cause, then start again']
      : ['server', 'Start it, then start again'];
  return `No ${server} of agent '${agent}' has answered for ${ALL_DOWN_TIMEOUT_MS / 60_000} minutes: ${sentenceOf(why)} ${remedy}; finished episodes are stored.`;
}
