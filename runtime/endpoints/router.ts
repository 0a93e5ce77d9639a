// Sends the requests of all episodes of an agent to its servers: chooses a server (routing.ts), sends failed requests again, keeps to the
// budget, and records who answered. A reply that arrived completely is never requested again, whatever it says.

import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { type Backoff, backoffMs } from '../core/retry.ts';
import type { TokenBudget } from './budget.ts';
import type { ChatModel, ChatReply, ChatRequest } from './chat.ts';
import type { EndpointClient } from './client.ts';
import { dataUrlOf } from './data-url.ts';
import { EndpointError, isTemporary } from './failure.ts';
import { readReply } from './reply.ts';
import { nextServer, nextUnblocked, type ServerPhase, type ServerState } from './routing.ts';
import { chatBody, type DataUrlSource, type WireDialect } from './wire-request.ts';

export interface RoutedServer {
  readonly client: Pick<EndpointClient, 'name' | 'chat'>;
  readonly model: string;
  /** Other names of the model, as the server lists them. */
  readonly aliases?: readonly string[];
  readonly dialect: WireDialect;
}

export interface RouterOptions {
  /** The name of the agent. */
  readonly agent: string;
  readonly servers: readonly RoutedServer[];
  /** The most requests at a time to each server. */
  readonly concurrency: number;
  /** How often a failed request is sent again. */
  readonly retries: number;
  readonly budget: TokenBudget;
  readonly clock: Clock;
  /** Reports a server that fails, or works again. */
  readonly health?: (thing: string, healthy: boolean, message: string) => void;
}

/** The state and the work of one server. */
export interface ServerSnapshot {
  readonly name: string;
  readonly phase: ServerPhase;
  readonly inFlight: number;
  readonly replies: number;
  /** Failed requests by cause. */
  readonly failures: Readonly<Record<string, number>>;
  /** The mean over its replies. */
  readonly latencyMs: number | undefined;
}

interface Server extends ServerState, RoutedServer {
  phase: ServerPhase;
  inFlight: number;
  blockedUntil: number;
  turn: number;
  /** Failures since its last reply. Requests that were in flight together are one. */
  failuresInRow: number;
  /** The time of the last of them. */
  failedAt: number;
  replies: number;
  latencySum: number;
  readonly failures: Map<string, number>;
}

/** The first pause is short, because most failures are of a single request. */
const BACKOFF: Backoff = { firstMs: 500, maxMs: 60_000 };
/** Failures in a row after which a server gets single requests only. */
const MAX_FAILURES_IN_ROW = 5;

export class EndpointRouter implements ChatModel {
  readonly #options: RouterOptions;
  readonly #servers: readonly Server[];
  /** The server of the last request of each session. */
  readonly #sessions = new Map<string, Server>();
  /** Requests that wait for a server, first come first. */
  readonly #waiting = new Set<() => void>();
  readonly #stop = new AbortController();
  #turns = 0;
  #alarm: number | undefined;

  constructor(options: RouterOptions) {
    if (options.servers.length === 0)
      throw new RangeError(`The agent '${options.agent}' has no server. Add 'url' to its settings.`);
    this.#options = options;
    this.#servers = options.servers.map(server => ({
      ...{ ...server, phase: 'serving', inFlight: 0, concurrency: options.concurrency, blockedUntil: 0 },
      ...{ turn: 0, failuresInRow: 0, failedAt: -1, replies: 0, latencySum: 0, failures: new Map() },
    }));
  }

  async complete(request: ChatRequest): Promise<ChatReply> {
    const { agent, retries, budget, clock } = this.#options;
    const { signal } = request;
    const causes: string[] = [];
    for (;;) {
      budget.require(agent);
      const server = await this.#acquire(request.session, signal);
      try {
        return await this.#send(server, request, causes);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof EndpointError) || !isTemporary(error.reason)) throw error;
        causes.push(error.reason);
        if (causes.length > retries) throw exhausted(error, causes.length);
        await clock.sleep(Math.max(backoffMs(causes.length, BACKOFF), error.delayMs ?? 0), signal);
      }
    }
  }

  end(session: string): void {
    this.#sessions.delete(session);
  }

  /** Ends the timers. Requests end by their own signals. */
  close(): void {
    this.#stop.abort();
  }

  snapshot(): readonly ServerSnapshot[] {
    return this.#servers.map(({ client, phase, inFlight, replies, failures, latencySum }) => ({
      ...{ name: client.name, phase, inFlight, replies, failures: Object.fromEntries(failures) },
      latencyMs: replies === 0 ? undefined : latencySum / replies,
    }));
  }

  async #send(server: Server, request: ChatRequest, causes: readonly string[]): Promise<ChatReply> {
    const { clock, budget } = this.#options;
    const { client, dialect, aliases } = server;
    const model = request.model ?? server.model;
    const from = clock.now();
    try {
      const body = chatBody(request, model, dialect, dataUrls(request));
      const expected = { model, topCount: dialect.topCount ?? 0, ...(aliases !== undefined && { aliases }) };
      const content = readReply(await client.chat(body, request.signal), expected);
      const latencyMs = clock.now() - from;
      this.#replied(server, latencyMs);
      const { model: answered, reportedVersion, promptTokens, completionTokens, ...reply } = content;
      budget.add(promptTokens ?? 0, completionTokens ?? 0);
      const cost = budget.costOf(promptTokens ?? 0, completionTokens ?? 0);
      return {
        ...reply,
        served: {
          ...{ endpoint: client.name, model: answered ?? model, latencyMs, retries: [...causes] },
          ...(reportedVersion !== undefined && { reportedVersion }),
          ...(promptTokens !== undefined && { promptTokens }),
          ...(completionTokens !== undefined && { completionTokens }),
          ...(cost !== undefined && { cost }),
        },
      };
    } catch (error) {
      if (error instanceof EndpointError && isTemporary(error.reason)) this.#failed(server, error, from);
      throw error;
    } finally {
      server.inFlight -= 1;
      this.#wake();
    }
  }

  /** Waits for a server with room. */
  async #acquire(session: string, signal: AbortSignal): Promise<Server> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#options.clock.now();
      const server = nextServer(this.#servers, this.#sessions.get(session), now);
      if (server !== undefined) {
        server.inFlight += 1;
        server.turn = ++this.#turns;
        this.#sessions.set(session, server);
        return server;
      }
      this.#wakeAt(nextUnblocked(this.#servers, now));
      await this.#woken(signal);
    }
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
    void sleepUnlessAborted(clock, time - clock.now(), this.#stop.signal).then(() => {
      if (this.#alarm === time) this.#alarm = undefined;
      this.#wake();
    });
  }

  #replied(server: Server, latencyMs: number): void {
    server.replies += 1;
    server.latencySum += latencyMs;
    server.failuresInRow = 0;
    if (server.phase !== 'failed') return;
    server.phase = 'serving';
    this.#options.health?.(server.client.name, true, 'answers again');
  }

  #failed(server: Server, { reason, delayMs, failure }: EndpointError, sentAt: number): void {
    server.failures.set(reason, (server.failures.get(reason) ?? 0) + 1);
    const now = this.#options.clock.now();
    if (sentAt > server.failedAt) {
      server.failuresInRow += 1;
      server.failedAt = now;
    }
    const isFailed = server.failuresInRow >= MAX_FAILURES_IN_ROW;
    const pause = isFailed ? backoffMs(server.failuresInRow - MAX_FAILURES_IN_ROW + 1, BACKOFF) : 0;
    server.blockedUntil = Math.max(server.blockedUntil, now + Math.max(pause, delayMs ?? 0));
    if (!isFailed || server.phase !== 'serving') return;
    server.phase = 'failed';
    this.#options.health?.(server.client.name, false, failure.message);
  }
}

const exhausted = ({ reason, failure }: EndpointError, attempts: number): EndpointError =>
  new EndpointError(reason, failure.thing, `${failure.message} It failed ${attempts} times.`);

/** The data URLs of the images of a request. */
const dataUrls = ({ images, dataUrls }: ChatRequest): DataUrlSource =>
  dataUrls ?? (sha256 => dataUrlOf(images(sha256)));
