// One client's socket: lets it in by its hello, sends exactly one reply to each request, and the states that it subscribed to.

import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../core/clock.ts';
import { runId } from '../core/ids.ts';
import { CLOSE_CODE_REJECTED } from '../protocol/close-code.ts';
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
import { awaitHello } from './http/hello-timeout.ts';
import { Latest } from './latest.ts';
import { readRequest } from './parse-request.ts';
import { failureOf, Refusal } from './refusal.ts';
import { carryOut, desktopOf, known, methodsOf, type Powers, trajectoryOf } from './requests.ts';

/** Requests of one client that are carried out at the same time. */
const MOST_AT_ONCE = 64;
/** So many bytes of replies may lie unread; who lets more pile up does not read at all, and is cut off. */
const MOST_UNREAD = 32 * 1024 * 1024;

export interface Surroundings extends Powers {
  readonly token: string;
  readonly clock: Clock;
}

/** Resolves when the connection is over. */
export function connect(socket: WebSocket, around: Surroundings): Promise<void> {
  const connection = new Connection(socket, around);
  return new Promise(resolve => {
    socket.once('close', () => {
      connection.close();
      resolve();
    });
  });
}

class Connection {
  readonly #socket: WebSocket;
  readonly #around: Surroundings;
  readonly #greeted: () => void;
  readonly #states: Latest<string, RunState>;
  readonly #subscribed = { all: false, runs: new Set<string>() };
  /** Where pictures are to be shown that are on their way. */
  readonly #places = new Map<string, AbortController>();
  #unwatch: (() => void) | undefined;
  #open = 0;
  #isRefused = false;

  constructor(socket: WebSocket, around: Surroundings) {
    this.#socket = socket;
    this.#around = around;
    this.#states = new Latest((state, sent) => {
      // The subscription may have ended while it waited.
      if (this.#isWanted(state)) this.#say({ method: 'state', params: state }, sent);
      else sent();
    });
    this.#greeted = awaitHello(around.clock, message => this.#refuse(null, 'unauthorized', message));
    socket.on('message', (data: RawData, isBinary) => this.#receive(isBinary ? '' : data.toString()));
    // A socket that fails also closes.
    socket.on('error', () => undefined);
  }

  close(): void {
    this.#greeted();
    for (const wanted of this.#places.values()) wanted.abort();
    if (this.#unwatch === undefined) return;
    this.#unwatch();
    this.#around.life.left();
  }

  #receive(text: string): void {
    if (this.#isRefused) return;
    const read = readRequest(text);
    if (read.ok && this.#unwatch !== undefined) this.#answer(read.request);
    else if (read.ok) this.#admit(read.request);
    else if (read.error.code === 'version') this.#refuse(read.id, 'version', read.error.message);
    else this.#say({ id: read.id, error: read.error });
  }

  #admit(request: DaemonRequest): void {
    if (request.method !== 'hello') {
      this.#refuse(request.id, 'unauthorized', `'${request.method}' came before 'hello': greet first.`);
    } else if (!isToken(request.params.token, this.#around.token)) {
      const message =
        "The token is not this daemon's: open the address that Dartboard printed when it started.";
      this.#refuse(request.id, 'unauthorized', message);
    } else {
      this.#greeted();
      this.#around.life.entered();
      this.#unwatch = this.#around.runs.watch(state => this.#show(state));
      this.#around.runs.trajectories.prepare();
      this.#say({
        id: request.id,
        result: { version: DAEMON_VERSION, methods: [...methodsOf(this.#around)] },
      });
    }
  }

  #answer(request: DaemonRequest): void {
    const { id } = request;
    if (this.#open >= MOST_AT_ONCE) {
      const message = `${MOST_AT_ONCE} requests are being carried out: ask '${request.method}' again when one is answered.`;
      this.#say({ id, error: { code: 'busy', message } });
      return;
    }
    this.#open += 1;
    this.#resultOf(request)
      .then(
        result => {
          this.#say({ id, result });
          // Not before: nothing of a subscription may reach the client ahead of its reply.
          if (request.method === 'subscribe') this.#subscribe(request.params.what);
        },
        (error: unknown) => this.#say({ id, error: failureOf(error) }),
      )
      .finally(() => {
        this.#open -= 1;
      });
  }

  async #resultOf(request: DaemonRequest): Promise<DaemonResults[DaemonMethod]> {
    switch (request.method) {
      case 'hello':
        throw new Refusal(
          'bad_request',
          "This connection was greeted already: leave out the second 'hello'.",
        );
      case 'subscribe': {
        const { what } = request.params;
        if (what !== 'runs') known(this.#around.runs, what.run);
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
        const of = desktop === undefined ? {} : { desktop: desktopOf(desktop) };
        const { result, bytes } = await this.#around.runs.desktops.look({ after, ...of });
        this.#send(encodeReplyFrame({ id: request.id, payload: bytes }));
        return result;
      }
      default:
        return carryOut(request, this.#around);
    }
  }

  /** The bytes go first: whoever has the reply has them. */
  async #frame(
    id: number,
    { trajectory, step, place }: DaemonParams<'trajectory.frame'>,
  ): Promise<FrameResult> {
    const wanted = new AbortController();
    if (place !== undefined) {
      this.#places.get(place)?.abort();
      this.#places.set(place, wanted);
    }
    try {
      const { trajectories } = this.#around.runs;
      const { about, png } = await trajectories.frame(trajectoryOf(trajectory), step, wanted.signal);
      this.#send(encodeReplyFrame({ id, payload: png }));
      return about;
    } finally {
      if (place !== undefined && this.#places.get(place) === wanted) this.#places.delete(place);
    }
  }

  #isWanted({ run }: RunState): boolean {
    return this.#subscribed.all || this.#subscribed.runs.has(run);
  }

  #show(state: RunState): void {
    if (this.#isWanted(state)) this.#states.offer(state.run, state);
  }

  #subscribe(what: SubscriptionTarget): void {
    if (what === 'runs') {
      this.#subscribed.all = true;
      return;
    }
    this.#subscribed.runs.add(what.run);
    const state = this.#around.runs.state(runId(what.run));
    if (state !== undefined) this.#show(state);
  }

  #refuse(id: number | null, code: 'unauthorized' | 'version', message: string): void {
    this.#isRefused = true;
    this.#say({ id, error: { code, message } });
    this.#socket.close(CLOSE_CODE_REJECTED, code);
  }

  #say(message: DaemonMessage, sent?: () => void): void {
    this.#send(JSON.stringify(message), sent);
  }

  #send(data: string | Uint8Array, sent?: () => void): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MOST_UNREAD) socket.terminate();
    else socket.send(data, () => sent?.());
  }
}
