// One socket to the daemon: greets it, passes on what comes, and says once how it ended. What is asked on it is not known here.

import { WebSocket } from 'ws';
import { CLOSE_CODE_REJECTED } from '../../runtime/protocol/close-code.ts';
import { DAEMON_FILE, type DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import { decodeReplyFrame, type ReplyFrame } from '../../runtime/protocol/daemon/frame.ts';
import {
  DAEMON_PATH,
  DAEMON_RESULTS,
  DAEMON_VERSION,
  type DaemonMessage,
  message as messageSchema,
} from '../../runtime/protocol/daemon/messages.ts';
import type { How } from './lifecycle.ts';

/** A request as it travels; what is in it is checked by who wrote it and by the daemon. */
export interface Sent {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

export interface Hearing {
  /** With what it can be asked for. */
  welcomed(methods: readonly string[]): void;
  message(message: DaemonMessage): void;
  frame(frame: ReplyFrame): void;
  /** Once, whatever happened; nothing comes after it. */
  closed(how: How, why: string): void;
}

/** Of the hello; it is answered before anything else is asked, so its id is free again. */
const HELLO = 0;
/** How a daemon says farewell that was stopped. */
const GOING_AWAY = 1001;
/** It is on this machine: who does not answer in that time hangs. */
const HANDSHAKE_WITHIN = 5000;

export class Connection {
  readonly #socket: WebSocket;
  readonly #hearing: Hearing;
  readonly #who: string;
  #isWelcome = false;
  #isOver = false;
  #why = '';

  constructor({ pid, port, token }: DaemonAddress, client: string, hearing: Hearing) {
    this.#hearing = hearing;
    this.#who = `pid ${pid}, port ${port}`;
    const socket = new WebSocket(`ws://127.0.0.1:${port}${DAEMON_PATH}`, {
      handshakeTimeout: HANDSHAKE_WITHIN,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.on('open', () =>
      this.#write({ id: HELLO, method: 'hello', params: { version: DAEMON_VERSION, token, client } }),
    );
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', error => {
      this.#why = this.#isWelcome
        ? `The connection to the daemon (${this.#who}) broke: ${error.message}.`
        : `The daemon that '${DAEMON_FILE}' names (${this.#who}) does not answer: ${error.message}. Delete the file if that is no daemon.`;
    });
    socket.on('close', code => this.#end(code));
  }

  /** False where it would not arrive. */
  send(request: Sent): boolean {
    if (!this.#isWelcome || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#write(request);
    return true;
  }

  /** Says no more, not even that it has ended. */
  close(): void {
    this.#isOver = true;
    // While it is still connecting this is reported as an error, to nobody.
    this.#socket.close();
  }

  #write(request: Sent): void {
    this.#socket.send(JSON.stringify(request));
  }

  #receive(data: unknown, isBinary: boolean): void {
    if (this.#isOver) return;
    try {
      if (isBinary && data instanceof ArrayBuffer) this.#hearing.frame(decodeReplyFrame(data));
      else this.#heard(messageSchema.parse(JSON.parse(textOf(data))));
    } catch (error) {
      // A daemon of another version; what it says further would be read no better.
      this.#why = `The daemon said what cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      this.#socket.close(CLOSE_CODE_REJECTED);
    }
  }

  #heard(message: DaemonMessage): void {
    if (this.#isWelcome) this.#hearing.message(message);
    else if ('error' in message) this.#why = message.error.message;
    else if ('result' in message) {
      const { methods } = DAEMON_RESULTS.hello.parse(message.result);
      this.#isWelcome = true;
      this.#hearing.welcomed(methods);
    }
  }

  #end(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const how = code === CLOSE_CODE_REJECTED ? 'refused' : code === GOING_AWAY ? 'stopped' : 'lost';
    this.#hearing.closed(how, this.#why || `The connection to the daemon (${this.#who}) ended.`);
  }
}

const textOf = (data: unknown): string =>
  data instanceof ArrayBuffer ? Buffer.from(data).toString() : String(data);
