// One socket to the daemon: says hello, passes on messages, sends heartbeats, and reports once how it closed.

import { WebSocket } from 'ws';
import { messageOf } from '../../runtime/core/errors.ts';
import { CLOSE_CODE_REJECTED, CLOSE_CODE_STOPPED } from '../../runtime/protocol/close-code.ts';
import { DAEMON_FILE, type DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import { decodeReplyFrame, type ReplyFrame } from '../../runtime/protocol/daemon/frame.ts';
import {
  DAEMON_PATH,
  DAEMON_RESULTS,
  DAEMON_VERSION,
  type DaemonMessage,
  message as messageSchema,
} from '../../runtime/protocol/daemon/messages.ts';
import type { CloseCause } from './lifecycle.ts';

/** A request on the wire. The sender and the daemon check its content. */
export interface RequestMessage {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

export interface ConnectionListener {
  /** The daemon accepted the hello and serves these methods. */
  welcomed(methods: readonly string[]): void;
  message(message: DaemonMessage): void;
  frame(frame: ReplyFrame): void;
  /** Called once, last. */
  closed(cause: CloseCause, reason: string): void;
}

/** The hello gets its reply before the first request, so requests may reuse this id. */
const HELLO_ID = 0;
const HANDSHAKE_TIMEOUT_MS = 5000;
const HEARTBEAT_INTERVAL_MS = 5000;
/** The connection is lost after this many intervals without a message or a pong. */
const MAX_MISSED_HEARTBEATS = 4;

export class DaemonConnection {
  readonly #socket: WebSocket;
  readonly #listener: ConnectionListener;
  readonly #daemon: string;
  #heartbeat: NodeJS.Timeout | undefined;
  #missedHeartbeats = 0;
  #isWelcome = false;
  #isOver = false;
  #reason = '';

  constructor(
    { pid, port, token }: DaemonAddress,
    clientName: string,
    listener: ConnectionListener,
    heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS,
  ) {
    this.#listener = listener;
    this.#daemon = `pid ${pid}, port ${port}`;
    const socket = new WebSocket(`ws://127.0.0.1:${port}${DAEMON_PATH}`, {
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.on('open', () => {
      this.#write({
        id: HELLO_ID,
        method: 'hello',
        params: { version: DAEMON_VERSION, token, client: clientName },
      });
      this.#heartbeat = setInterval(() => this.#beat(heartbeatIntervalMs), heartbeatIntervalMs);
    });
    socket.on('pong', () => {
      this.#missedHeartbeats = 0;
    });
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', error => {
      this.#reason = this.#isWelcome
        ? `The connection to the Dartboard daemon (${this.#daemon}) broke: ${error.message}. Show the log.`
        : `The Dartboard daemon (${this.#daemon}) cannot be reached: ${error.message}. If no daemon runs, delete '${DAEMON_FILE}'.`;
    });
    socket.on('close', code => this.#end(code));
  }

  /** Returns false if the connection is not open. */
  send(request: RequestMessage): boolean {
    if (!this.#isWelcome || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#write(request);
    return true;
  }

  /** Closes without a call of `closed`. */
  close(): void {
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    this.#socket.close();
  }

  #write(request: RequestMessage): void {
    this.#socket.send(JSON.stringify(request));
  }

  /** Counts intervals instead of time, so that a machine that was asleep does not lose its connection. */
  #beat(intervalMs: number): void {
    if (this.#missedHeartbeats >= MAX_MISSED_HEARTBEATS) {
      const seconds = (MAX_MISSED_HEARTBEATS * intervalMs) / 1000;
      this.#reason = `The Dartboard daemon (${this.#daemon}) did not respond for ${seconds} s. If it stays so, end that process.`;
      this.#socket.terminate();
      return;
    }
    this.#missedHeartbeats += 1;
    this.#socket.ping();
  }

  #receive(data: unknown, isBinary: boolean): void {
    if (this.#isOver) return;
    this.#missedHeartbeats = 0;
    try {
      if (isBinary && data instanceof ArrayBuffer) this.#listener.frame(decodeReplyFrame(data));
      else this.#receiveMessage(messageSchema.parse(JSON.parse(textOf(data))));
    } catch (error) {
      // A daemon of another version sent this; further messages are as unreadable.
      this.#reason = `A message of the Dartboard daemon (${this.#daemon}) is not valid: ${messageOf(error)}. Stop the daemon, then reload the window.`;
      this.#socket.close(CLOSE_CODE_REJECTED);
    }
  }

  #receiveMessage(message: DaemonMessage): void {
    if (this.#isWelcome) this.#listener.message(message);
    else if ('error' in message) this.#reason = message.error.message;
    else if ('result' in message) {
      const { methods } = DAEMON_RESULTS.hello.parse(message.result);
      this.#isWelcome = true;
      this.#listener.welcomed(methods);
    }
  }

  #end(code: number): void {
    clearInterval(this.#heartbeat);
    if (this.#isOver) return;
    this.#isOver = true;
    const cause = code === CLOSE_CODE_REJECTED ? 'refused' : code === CLOSE_CODE_STOPPED ? 'stopped' : 'lost';
    const reason =
      this.#reason || `The Dartboard daemon (${this.#daemon}) closed the connection. Show the log.`;
    this.#listener.closed(cause, reason);
  }
}

const textOf = (data: unknown): string =>
  data instanceof ArrayBuffer ? Buffer.from(data).toString() : String(data);
