// The servers of an agent: which one a request gets (routing.ts), requests that wait for one, and the changes that an update of weights makes.

import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { EndpointError } from './failure.ts';
import { givesUpAt, nextServer, nextUnblocked } from './routing.ts';
import type { LoadedAdapter, ServedWeights } from './served-weights.ts';
import type { ServerRecord } from './server-record.ts';
import type { UpdatableServers, WeightKeeper } from './updatable-servers.ts';

/** A server may ask for a longer pause than a timer can wait. Requests that wake early wait again. */
const MAX_SLEEP_MS = 60_000;

interface FleetOptions {
  /** The name of the agent. */
  readonly agent: string;
  readonly servers: readonly ServerRecord[];
  /** How long requests wait while no server works. */
  readonly outageTimeoutMs: number;
  readonly clock: Clock;
}

export interface WantedServer {
  readonly session: string;
  readonly signal: AbortSignal;
}

export class ServerFleet implements UpdatableServers {
  readonly #options: FleetOptions;
  /** The server of the last request of each session. */
  readonly #sessions = new Map<string, ServerRecord>();
  /** Requests that wait for a server, first come first, and drains. */
  readonly #waiting = new Set<() => void>();
  readonly #stop = new AbortController();
  #keeper: WeightKeeper | undefined;
  #turns = 0;
  #alarm: number | undefined;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  get keeper(): WeightKeeper | undefined {
    return this.#keeper;
  }

  /** Waits for a server with room. Rejects with an EndpointError if none works for too long. */
  async acquire({ session, signal }: WantedServer): Promise<ServerRecord> {
    const { clock, servers, outageTimeoutMs } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const now = clock.now();
      const server = nextServer(servers, this.#sessions.get(session), now);
      if (server !== undefined) {
        server.inFlight += 1;
        server.turn = ++this.#turns;
        this.#sessions.set(session, server);
        return server;
      }
      const endsAt = givesUpAt(servers, outageTimeoutMs);
      if (endsAt !== undefined && endsAt <= now) throw this.#givenUp();
      this.#wakeAt(nextUnblocked(servers, now));
      this.#wakeAt(endsAt);
      await this.#woken(signal);
    }
  }

  /** Ends the request of an acquired server. */
  release(server: ServerRecord): void {
    server.inFlight -= 1;
    this.#wake();
  }

  end(session: string): void {
    this.#sessions.delete(session);
  }

  /** Ends the timers. */
  close(): void {
    this.#stop.abort();
  }

  follow(keeper: WeightKeeper): void {
    this.#keeper = keeper;
  }

  serve(name: string, weights: ServedWeights): void {
    const server = this.#named(name);
    server.weights.serve(weights);
    // A failed server that loads an adapter works again.
    if (server.phase !== 'serving') this.putBack(name);
  }

  async drain(name: string, signal: AbortSignal): Promise<void> {
    const server = this.#named(name);
    server.enter('draining', this.#options.clock.now());
    while (server.inFlight > 0 && !signal.aborted) await this.#woken(signal);
    signal.throwIfAborted();
  }

  beginUpdate(name: string): void {
    this.#named(name).enter('updating', this.#options.clock.now());
  }

  putBack(name: string): void {
    this.#named(name).putInService(this.#options.clock.now());
    this.#wake();
  }

  takeOut(name: string, why: string): void {
    const server = this.#named(name);
    server.problem = why;
    server.enter('out', this.#options.clock.now());
    this.#wake();
  }

  isOut(name: string): boolean {
    return this.#named(name).phase === 'out';
  }

  adapters(name: string): readonly LoadedAdapter[] {
    return this.#named(name).weights.adapters();
  }

  forget(name: string, model: string): boolean {
    const { weights } = this.#named(name);
    const adapter = this.adapters(name).find(each => each.model === model);
    const isCurrent = weights.current?.model === model;
    if (adapter === undefined || adapter.inFlight > 0 || isCurrent) return false;
    weights.forget(model);
    return true;
  }

  #named(name: string): ServerRecord {
    const { agent, servers } = this.#options;
    const server = servers.find(each => each.name === name);
    if (server !== undefined) return server;
    const names = servers.map(each => each.name).join(', ');
    throw new RangeError(`The agent '${agent}' has no server '${name}'. Use one of: ${names}.`);
  }

  #givenUp(): EndpointError {
    const { agent, servers, outageTimeoutMs } = this.#options;
    const seconds = outageTimeoutMs / 1000;
    const problems = servers.map(({ name, problem }) => `${name}: ${problem}`).join(' ');
    return new EndpointError(
      'outage',
      agent,
      `No server of agent '${agent}' has worked for ${seconds} s. ${problems}`,
    );
  }

  #woken(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** All of them look for a server again; those without one wait in the same order. */
  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #wakeAt(time: number | undefined): void {
    if (time === undefined || (this.#alarm !== undefined && this.#alarm <= time)) return;
    this.#alarm = time;
    const { clock } = this.#options;
    void sleepUnlessAborted(clock, Math.min(time - clock.now(), MAX_SLEEP_MS), this.#stop.signal).then(() => {
      if (this.#alarm === time) this.#alarm = undefined;
      this.#wake();
    });
  }
}
