// A client of the Tinker protocol: requests, and the results that the server keeps for them. It repeats what failed for a while, but a
// request that must not be repeated only if it certainly did not arrive.

import type { Clock } from '../../core/clock.ts';
import { backoffMs } from '../../core/retry.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { startOf } from '../../endpoints/error-reply.ts';
import type { HttpBytesReply } from '../../endpoints/http-transport.ts';
import { parseWireJson } from '../../endpoints/wire-reply.ts';
import { type ConnectionRequest, TinkerConnection, type TinkerConnectionOptions } from './connection.ts';
import { createModelRequestOf, type EncodedRequest, type NewModel, unloadRequest } from './requests.ts';
import { DONE, MODEL, type ResultKind } from './results.ts';
import { isTemporaryCause, isTinkerError, type TinkerError } from './tinker-error.ts';
import {
  capabilitiesReply,
  createSessionReply,
  failedReply,
  futureReply,
  type QueueReply,
  queueReply,
  tryAgainReply,
} from './wire/control.ts';
import { checked } from './wire/json.ts';
import { JSON_TYPE, PROTOBUF_TYPE, WireError } from './wire/messages.ts';

export interface TinkerClientOptions extends TinkerConnectionOptions {
  readonly timeoutMs?: number;
  /** How long failures in a row are repeated. */
  readonly outageTimeoutMs?: number;
  /** Gets the reason why a request waits for the server, and since when; undefined when the wait has ended. Equal reasons may repeat. */
  readonly waiting?: (reason: string | undefined, since: number) => void;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_OUTAGE_TIMEOUT_MS = 300_000;
const MAX_DELAY_MS = 30_000;
const HEARTBEAT_TIMEOUT_MS = 10_000;
/** Servers keep a request for a result open for up to 300 s. */
const POLL_TIMEOUT_MS = 330_000;

/** The status of a request for a result, while the server works on it. */
const STILL_WORKING = 408;

/** Between two requests for one result. */
const POLL_INTERVAL_MS = 200;

/** The version of the SDK whose protocol this client speaks; servers choose features by it. */
const PROTOCOL_VERSION = '0.38.0';

export class TinkerClient {
  readonly #connection: TinkerConnection;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #outageTimeoutMs: number;
  readonly #waiting: NonNullable<TinkerClientOptions['waiting']>;

  constructor(options: TinkerClientOptions) {
    const {
      timeoutMs = DEFAULT_TIMEOUT_MS,
      outageTimeoutMs = DEFAULT_OUTAGE_TIMEOUT_MS,
      waiting = () => undefined,
      ...connection
    } = options;
    this.#connection = new TinkerConnection(connection);
    this.#clock = connection.clock;
    this.#timeoutMs = timeoutMs;
    this.#outageTimeoutMs = outageTimeoutMs;
    this.#waiting = waiting;
  }

  get url(): string {
    return this.#connection.url;
  }

  /** The models that the server can train. */
  async models(signal: AbortSignal): Promise<readonly string[]> {
    const timeoutMs = this.#timeoutMs;
    const request = {
      method: 'GET',
      route: '/get_server_capabilities',
      accept: JSON_TYPE,
      timeoutMs,
    } as const;
    const reply = await this.#repeated(() => this.#connection.send(request, signal), signal);
    const { supported_models: models } = this.#read(() =>
      checked(capabilitiesReply, jsonOf(reply), 'list of capabilities'),
    );
    return models.flatMap(({ model_name: name }) => name ?? []);
  }

  async createSession(signal: AbortSignal): Promise<string> {
    const body = { tags: ['dartboard'], user_metadata: {}, sdk_version: PROTOCOL_VERSION };
    const request = this.#post('/create_session', JSON.stringify({ ...body, type: 'create_session' }));
    const reply = await this.#repeated(() => this.#connection.send(request, signal), signal);
    return this.#read(() => checked(createSessionReply, jsonOf(reply), 'new session')).session_id;
  }

  /** Keeps the models of the session. Not repeated: the next heartbeat follows soon. */
  async heartbeat(session: string, signal: AbortSignal): Promise<void> {
    const body = JSON.stringify({ session_id: session, type: 'session_heartbeat' });
    const request = this.#post('/session_heartbeat', body);
    await this.#connection.send({ ...request, timeoutMs: HEARTBEAT_TIMEOUT_MS }, signal);
  }

  /** `number` counts the models of the session. Rejects with 'no-model' for an unknown session. */
  async createModel(session: string, number: number, model: NewModel, signal: AbortSignal): Promise<string> {
    const future = await this.submit(createModelRequestOf(session, number, model), signal);
    return (await this.result(future, MODEL, signal)).model_id;
  }

  /** Frees the memory of a model on the server. */
  async unload(modelId: string, signal: AbortSignal): Promise<void> {
    await this.result(await this.submit(unloadRequest(modelId), signal), DONE, signal);
  }

  /** Resolves with where the result will be, once the server has accepted the request. */
  async submit(
    { route, type, body }: EncodedRequest,
    signal: AbortSignal,
    { mayRepeat = true }: { readonly mayRepeat?: boolean } = {},
  ): Promise<string> {
    const request = { ...this.#post(route, body), type };
    const reply = await this.#repeated(() => this.#connection.send(request, signal), signal, mayRepeat);
    return this.#read(() => checked(futureReply, jsonOf(reply), 'reply to a request')).request_id;
  }

  /** Waits for a result as long as the server works on it. */
  async result<T>(
    future: string,
    { fromJson, fromProtobuf }: ResultKind<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const request = {
      ...this.#post('/retrieve_future', JSON.stringify({ request_id: future })),
      ...(fromProtobuf !== undefined && { accept: PROTOBUF_TYPE }),
      ...{ timeoutMs: POLL_TIMEOUT_MS, accepted: STILL_WORKING },
    };
    const queued = this.#newWait();
    try {
      for (let asked: number | undefined; ; ) {
        // A server, or a proxy, that answers at once is not asked at once again.
        if (asked !== undefined && this.#clock.now() - asked < POLL_INTERVAL_MS)
          await this.#clock.sleep(POLL_INTERVAL_MS, signal);
        asked = this.#clock.now();
        const reply = await this.#repeated(() => this.#poll(request, signal), signal);
        if (reply.status === STILL_WORKING) {
          this.#reportQueue(queued, queueIn(reply));
          continue;
        }
        if (fromProtobuf !== undefined && reply.headers['content-type']?.includes(PROTOBUF_TYPE))
          return this.#read(() => fromProtobuf(reply.body));
        const value = this.#read(() => jsonOf(reply));
        const tryAgain = safeParse(tryAgainReply, value);
        if (tryAgain.success) {
          this.#reportQueue(queued, tryAgain.data);
          continue;
        }
        const failed = safeParse(failedReply, value);
        if (failed.success) throw this.#failure(failed.data.error);
        return this.#read(() => fromJson(value));
      }
    } finally {
      queued.end();
    }
  }

  async #poll(request: ConnectionRequest, signal: AbortSignal): Promise<HttpBytesReply> {
    try {
      return await this.#connection.send(request, signal);
    } catch (error) {
      if (!isTinkerError(error)) throw error;
      const { status, reported, reason } = error;
      if (status === 400) throw this.#failure(reported);
      if (reason !== 'no-model' || isAboutModel(reported)) throw error;
      throw this.#connection.error('no-future', error.failure.message, { status, reported });
    }
  }

  /** Why the server has not begun with a request; nothing while it works on it. The key is removed before the texts are cut. */
  #reportQueue(wait: Wait, { queue_state: state, queue_state_reason: why }: QueueReply): void {
    if (state === undefined || state === null || state === 'active') {
      wait.end();
      return;
    }
    const texts = [state, why].flatMap(text => text ?? []);
    const quoted = texts.map(text => startOf(this.#connection.redact(text))).join(': ');
    wait.report(`the queue of ${this.url} (${quoted})`);
  }

  #failure(reported: string): TinkerError {
    return this.#connection.error(
      isAboutModel(reported) ? 'no-model' : 'failed',
      `${this.url} could not carry out a request: ${reported.replace(/\.?$/, '.')} Check its log.`,
    );
  }

  async #repeated<T>(attempt: () => Promise<T>, signal: AbortSignal, mayRepeat = true): Promise<T> {
    // From the first failure: a request for a result may be open for minutes before it fails.
    const outage = this.#newWait();
    try {
      for (let failures = 1; ; failures += 1) {
        try {
          return await attempt();
        } catch (error) {
          if (!isTinkerError(error) || !isTemporaryCause(error.reason)) throw error;
          if (!mayRepeat && !error.isUnsent) throw error;
          const backoff = backoffMs(failures, { firstMs: 1000, maxMs: MAX_DELAY_MS });
          const delayMs = Math.max(backoff, error.delayMs ?? 0);
          const now = this.#clock.now();
          if (now + delayMs - (outage.since ?? now) > this.#outageTimeoutMs) throw error;
          outage.report(`the server of the learner: ${error.failure.message}`);
          await this.#clock.sleep(delayMs, signal);
        }
      }
    } finally {
      outage.end();
    }
  }

  #newWait(): Wait {
    return new Wait(this.#waiting, this.#clock);
  }

  #post(route: string, body: Uint8Array | string): ConnectionRequest {
    return { method: 'POST', route, type: JSON_TYPE, body, accept: JSON_TYPE, timeoutMs: this.#timeoutMs };
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof WireError) && !(error instanceof SyntaxError)) throw error;
      throw this.#connection.error(
        'bad-reply',
        `A reply of ${this.url} cannot be read: ${error.message.replace(/\.?$/, '.')} Check that the server speaks the Tinker protocol of SDK ${PROTOCOL_VERSION}.`,
        { cause: error },
      );
    }
  }
}

/** One wait for the server, from its first report to its end. */
class Wait {
  readonly #waiting: NonNullable<TinkerClientOptions['waiting']>;
  readonly #clock: Clock;
  since: number | undefined;

  constructor(waiting: NonNullable<TinkerClientOptions['waiting']>, clock: Clock) {
    this.#waiting = waiting;
    this.#clock = clock;
  }

  report(reason: string): void {
    this.since ??= this.#clock.now();
    this.#waiting(reason, this.since);
  }

  end(): void {
    if (this.since === undefined) return;
    this.since = undefined;
    this.#waiting(undefined, this.#clock.now());
  }
}

/** No state for a body that cannot be read: the status alone has the meaning. */
function queueIn(reply: HttpBytesReply): QueueReply {
  try {
    return safeParse(queueReply, jsonOf(reply)).data ?? {};
  } catch {
    return {};
  }
}

const jsonOf = ({ body }: HttpBytesReply): unknown => parseWireJson(new TextDecoder().decode(body));

/** A server that restarted may know the request, but not the model. */
const isAboutModel = (text: string): boolean => /\bmodel\b.*\bnot (found|loaded)\b/i.test(text);
