// One client of the daemon: authenticates it, sends exactly one reply to each request, and pushes the run states it subscribed to.

import type { RawData, WebSocket } from 'ws';
import { runId } from '../core/ids.ts';
import { encodeReplyFrame } from '../protocol/daemon/frame.ts';
import {
  DAEMON_VERSION,
  type DaemonMessage,
  type DaemonMethod,
  type DaemonParams,
  type DaemonRequest,
  type DaemonResults,
  type SubscriptionTarget,
} from '../protocol/daemon/messages.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import type { FrameResult } from '../protocol/daemon/trajectories.ts';
import { isToken } from './http/auth.ts';
import { Handshake } from './http/handshake.ts';
import { LatestQueue } from './latest-queue.ts';
import { readRequest } from './parse-request.ts';
import { daemonFailureOf, RequestError } from './request-error.ts';
import {
  executeRequest,
  methodsOf,
  parseDesktopId,
  parseTrajectoryId,
  type RequestContext,
  requireRun,
} from './requests.ts';

const MAX_CONCURRENT_REQUESTS = 64;
/** A client with more unread bytes than this does not read at all, and is disconnected. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

export interface ConnectionContext extends RequestContext {
  readonly token: string;
}

/** Resolves when the connection is closed. `takeSlot` returns false when there are too many clients. */
export function connect(
  socket: WebSocket,
  takeSlot: () => boolean,
  context: ConnectionContext,
): Promise<void> {
  const connection = new Connection(socket, takeSlot, context);
  return new Promise(resolve => {
    socket.once('close', () => {
      connection.close();
      resolve();
    });
  });
}

class Connection {
  readonly #socket: WebSocket;
  readonly #context: ConnectionContext;
  readonly #handshake: Handshake;
  readonly #states: LatestQueue<string, RunState>;
  readonly #subscribed = { all: false, runs: new Set<string>() };
  /** Frame requests under way, by the place where the client will show the frame. */
  readonly #framesByPlace = new Map<string, AbortController>();
  #unwatch: (() => void) | undefined;
  #openRequests = 0;

  constructor(socket: WebSocket, takeSlot: () => boolean, context: ConnectionContext) {
    this.#socket = socket;
    this.#context = context;
    this.#states = new LatestQueue((state, sent) => {
      // The client may have unsubscribed while the state waited.
      if (this.#isSubscribedTo(state)) this.#send({ method: 'state', params: state }, sent);
      else sent();
    });
    this.#handshake = new Handshake({
      socket,
      clock: context.clock,
      takeSlot,
      sendError: (id, code, message) => this.#send({ id, error: { code, message } }),
    });
    socket.on('message', (data: RawData, isBinary) => this.#receive(isBinary ? '' : data.toString()));
    // A socket that fails also closes.
    socket.on('error', () => undefined);
  }

  close(): void {
    for (const request of this.#framesByPlace.values()) request.abort();
    if (this.#unwatch === undefined) return;
    this.#unwatch();
    this.#context.life.left();
  }

  #receive(text: string): void {
    if (this.#handshake.isRejected) return;
    const read = readRequest(text);
    if (read.ok && this.#unwatch !== undefined) this.#answer(read.request);
    else if (read.ok) this.#authenticate(read.request);
    else if (read.error.code === 'version') this.#handshake.reject(read.id, 'version', read.error.message);
    else this.#send({ id: read.id, error: read.error });
  }

  #authenticate(request: DaemonRequest): void {
    if (request.method !== 'hello') {
      const message = `'${request.method}' arrived before 'hello'. Send 'hello' first.`;
      this.#handshake.reject(request.id, 'unauthorized', message);
    } else if (!isToken(request.params.token, this.#context.token)) {
      const message =
        'The token is not that of this daemon. Open the address that Dartboard printed when it started.';
      this.#handshake.reject(request.id, 'unauthorized', message);
    } else if (this.#handshake.accept(request.id)) {
      const { life, runs } = this.#context;
      life.entered();
      this.#unwatch = runs.watch(state => this.#offer(state));
      runs.trajectories.prepare();
      const result = { version: DAEMON_VERSION, methods: [...methodsOf(this.#context)] };
      this.#send({ id: request.id, result });
    }
  }

  #answer(request: DaemonRequest): void {
    const { id, method } = request;
    if (this.#openRequests >= MAX_CONCURRENT_REQUESTS) {
      const message = `${MAX_CONCURRENT_REQUESTS} requests of this client are under way, which is the limit. Send '${method}' again after a reply.`;
      this.#send({ id, error: { code: 'busy', message } });
      return;
    }
    this.#openRequests += 1;
    this.#resultOf(request)
      .then(
        result => {
          this.#send({ id, result });
          // After the reply: the client must not receive a state before it.
          if (method === 'subscribe') this.#subscribe(request.params.what);
        },
        (error: unknown) => this.#send({ id, error: daemonFailureOf(error) }),
      )
      .finally(() => {
        this.#openRequests -= 1;
      });
  }

  async #resultOf(request: DaemonRequest): Promise<DaemonResults[DaemonMethod]> {
    switch (request.method) {
      case 'hello':
        throw new RequestError('bad_request', "This client is authenticated. Leave out the second 'hello'.");
      case 'subscribe': {
        const { what } = request.params;
        if (what !== 'runs') requireRun(this.#context.runs, what.run);
        return {};
      }
      case 'unsubscribe': {
        const { what } = request.params;
        if (what === 'runs') this.#subscribed.all = false;
        else this.#subscribed.runs.delete(what.run);
        return {};
      }
      case 'trajectory.frame':
        return this.#frame(request.id, request.params);
      case 'desktops.look': {
        const { after, desktop } = request.params;
        const one = desktop === undefined ? {} : { desktop: parseDesktopId(desktop) };
        const { result, bytes } = await this.#context.runs.desktops.look({ after, ...one });
        this.#sendData(encodeReplyFrame({ id: request.id, payload: bytes }));
        return result;
      }
      default:
        return executeRequest(request, this.#context);
    }
  }

  /** Sends the bytes before the reply, so that a client that has the reply also has the bytes. */
  async #frame(
    id: number,
    { trajectory, step, place }: DaemonParams<'trajectory.frame'>,
  ): Promise<FrameResult> {
    const request = new AbortController();
    if (place !== undefined) {
      this.#framesByPlace.get(place)?.abort();
      this.#framesByPlace.set(place, request);
    }
    try {
      const { trajectories } = this.#context.runs;
      const { about, png } = await trajectories.frame(parseTrajectoryId(trajectory), step, request.signal);
      this.#sendData(encodeReplyFrame({ id, payload: png }));
      return about;
    } finally {
      if (place !== undefined && this.#framesByPlace.get(place) === request)
        this.#framesByPlace.delete(place);
    }
  }

  #isSubscribedTo({ run }: RunState): boolean {
    return this.#subscribed.all || this.#subscribed.runs.has(run);
  }

  #offer(state: RunState): void {
    if (this.#isSubscribedTo(state)) this.#states.offer(state.run, state);
  }

  #subscribe(what: SubscriptionTarget): void {
    if (what === 'runs') {
      this.#subscribed.all = true;
      return;
    }
    this.#subscribed.runs.add(what.run);
    const state = this.#context.runs.state(runId(what.run));
    if (state !== undefined) this.#offer(state);
  }

  #send(message: DaemonMessage, sent?: () => void): void {
    this.#sendData(JSON.stringify(message), sent);
  }

  #sendData(data: string | Uint8Array, sent?: () => void): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
    else socket.send(data, () => sent?.());
  }
}
