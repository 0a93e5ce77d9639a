// Sends the requests of all episodes of an agent to its servers: gets a server (server-fleet.ts), sends failed requests again, keeps to the
// budget, and records who answered with which weights. A reply that arrived completely is never requested again, whatever it says.

import type { ChatReply } from '../core/chat.ts';
import type { Clock } from '../core/clock.ts';
import { backoffMs } from '../core/retry.ts';
import { REPLY_DEFECTS } from '../core/trace.ts';
import type { TokenBudget } from './budget.ts';
import type { ChatModel, ChatRequest } from './chat.ts';
import { dataUrlOf } from './data-url.ts';
import { concernsServer, EndpointError, isTemporary } from './failure.ts';
import { type ReplyContent, type ReplyExpectation, readReply } from './reply.ts';
import { isUpdated, type ServedWeights } from './served-weights.ts';
import { ServerFleet } from './server-fleet.ts';
import { BACKOFF, type RoutedServer, ServerRecord, type ServerSnapshot } from './server-record.ts';
import type { UpdatableServers } from './updatable-servers.ts';
import { chatBody, type DataUrlSource } from './wire-request.ts';

export interface RouterOptions {
  /** The name of the agent. */
  readonly agent: string;
  readonly servers: readonly RoutedServer[];
  /** The most requests at a time to each server. */
  readonly concurrency: number;
  /** How often a failed request is sent again. */
  readonly retries: number;
  /** How long requests wait while no server works. Default: 15 minutes. */
  readonly outageTimeoutMs?: number | undefined;
  readonly budget: TokenBudget;
  readonly clock: Clock;
  /** Reports a server that fails, or works again. */
  readonly health?: (thing: string, healthy: boolean, message: string) => void;
}

/** A large model is started again within this time. */
const DEFAULT_OUTAGE_TIMEOUT_MS = 900_000;

export class EndpointRouter implements ChatModel {
  readonly #options: RouterOptions;
  readonly #servers: readonly ServerRecord[];
  readonly #fleet: ServerFleet;

  constructor(options: RouterOptions) {
    const { agent, servers, concurrency, clock, outageTimeoutMs = DEFAULT_OUTAGE_TIMEOUT_MS } = options;
    if (servers.length === 0)
      throw new RangeError(`The agent '${agent}' has no server. Add 'url' to its settings.`);
    this.#options = options;
    this.#servers = servers.map(server => new ServerRecord(server, concurrency, clock.now()));
    this.#fleet = new ServerFleet({ agent, servers: this.#servers, outageTimeoutMs, clock });
  }

  /** For updates of weights. */
  get servers(): UpdatableServers {
    return this.#fleet;
  }

  async complete(request: ChatRequest): Promise<ChatReply> {
    const { agent, retries, budget, clock } = this.#options;
    const { signal } = request;
    const causes: string[] = [];
    const restored = new Set<ServerRecord>();
    for (;;) {
      budget.require(agent);
      const server = await this.#fleet.acquire(request);
      try {
        // Others may have spent it while this request waited.
        budget.require(agent);
      } catch (error) {
        this.#fleet.release(server);
        throw error;
      }
      const { model } = server;
      const sentAt = clock.now();
      try {
        return await this.#send(server, model, request, causes);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof EndpointError)) throw error;
        const weights = server.weights.find(model);
        const isLost = error.reason === 'no-such-model' && weights !== undefined && isUpdated(weights);
        if (concernsServer(error.reason) && !isLost && this.#takenOut(server, error)) continue;
        if (!isTemporary(error.reason) && !isLost) throw error;
        causes.push(error.reason);
        if (causes.length > retries) throw exhausted(error, causes.length);
        if (isLost) await this.#restore(server, weights, sentAt, restored);
        // A delay that the server asks for blocks this server alone.
        else await clock.sleep(backoffMs(causes.length, BACKOFF), signal);
      }
    }
  }

  end(session: string): void {
    this.#fleet.end(session);
  }

  /** Ends the timers. Requests end by their own signals. */
  close(): void {
    this.#fleet.close();
  }

  snapshot(): readonly ServerSnapshot[] {
    return this.#servers.map(server => server.snapshot());
  }

  async #send(
    server: ServerRecord,
    model: string,
    request: ChatRequest,
    causes: readonly string[],
  ): Promise<ChatReply> {
    const { clock, budget } = this.#options;
    const { client, dialect } = server.server;
    const weights = server.weights.find(model);
    const end = server.weights.begin(model);
    const from = clock.now();
    try {
      const body = chatBody(request, model, dialect, dataUrls(request));
      const content = readReply(await client.chat(body, request.signal), expectation(server, model, weights));
      const latencyMs = clock.now() - from;
      this.#replied(server, latencyMs);
      const { model: answered, reportedVersion, ...counted } = content;
      // A server may not report its usage. Then the tokens in the reply are counted.
      const {
        promptTokens = counted.prompt?.length,
        completionTokens = counted.tokens.length > 0 ? counted.tokens.length : undefined,
        ...reply
      } = counted;
      budget.add(promptTokens ?? 0, completionTokens ?? 0);
      const cost = budget.costOf(promptTokens ?? 0, completionTokens ?? 0);
      const isVerified = weights === undefined || (await this.#verify(server, weights, content));
      return {
        ...reply,
        ...(!isVerified && { defects: withWrongModel(reply.defects) }),
        ...(weights !== undefined && { version: weights.version }),
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
      if (end() && model !== server.model) this.#fleet.keeper?.released(server.name);
      this.#fleet.release(server);
    }
  }

  /** Whether these weights decided. A server with other ones is reported. */
  async #verify(
    server: ServerRecord,
    { reported, confirm, version }: ServedWeights,
    { reportedVersion }: ReplyContent,
  ): Promise<boolean> {
    const isReported =
      reported === undefined || reportedVersion === undefined || reportedVersion === reported;
    const isConfirmed = confirm === undefined || (await confirm());
    if (!isReported || isConfirmed === false)
      this.#fleet.keeper?.strayed(server.name, `It has other weights than those of version ${version}.`);
    return isReported && isConfirmed === true;
  }

  /** An adapter that is missing right after it was loaded again is not loaded a third time. */
  async #restore(
    server: ServerRecord,
    { model, isAdapter }: ServedWeights,
    sentAt: number,
    restored: Set<ServerRecord>,
  ): Promise<void> {
    const { keeper } = this.#fleet;
    const again = restored.has(server) ? ' again' : '';
    if (isAdapter && again === '') await keeper?.restore(server.name, model, sentAt);
    else keeper?.strayed(server.name, `It has lost the model '${model}'${again}.`);
    restored.add(server);
  }

  /** Takes out a server that refuses every request, if another one may answer. */
  #takenOut(server: ServerRecord, { failure: { message } }: EndpointError): boolean {
    if (!this.#servers.some(other => other !== server && other.phase !== 'out')) return false;
    if (server.phase !== 'out') this.#options.health?.(server.name, false, message);
    this.#fleet.takeOut(server.name, message);
    return true;
  }

  #replied(server: ServerRecord, latencyMs: number): void {
    if (server.replied(latencyMs, this.#options.clock.now()))
      this.#options.health?.(server.name, true, 'answers again');
  }

  #failed(server: ServerRecord, error: EndpointError, sentAt: number): void {
    if (server.failed(error, sentAt, this.#options.clock.now()))
      this.#options.health?.(server.name, false, error.failure.message);
  }
}

/** Only the model itself has other names; an adapter has one. */
const expectation = (
  { server: { dialect, aliases, model: base } }: ServerRecord,
  model: string,
  weights: ServedWeights | undefined,
): ReplyExpectation => ({
  ...{ model, topCount: dialect.topCount ?? 0 },
  ...(aliases !== undefined && model === base && { aliases }),
  ...(weights?.reported !== undefined && { version: weights.reported }),
});

const withWrongModel = (defects: ChatReply['defects']): ChatReply['defects'] =>
  REPLY_DEFECTS.filter(defect => defect === 'wrong-model' || defects.includes(defect));

const exhausted = ({ reason, failure }: EndpointError, attempts: number): EndpointError =>
  new EndpointError(reason, failure.thing, `${failure.message} It failed ${attempts} times.`);

/** The data URLs of the images of a request. */
const dataUrls = ({ images, dataUrls }: ChatRequest): DataUrlSource =>
  dataUrls ?? (sha256 => dataUrlOf(images(sha256)));
