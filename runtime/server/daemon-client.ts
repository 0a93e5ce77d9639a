// A terminal's connection to the daemon of its workspace.

import { WebSocket } from 'ws';
import { systemClock } from '../core/system-clock.ts';
import { CLOSE_CODE_TOO_LARGE } from '../protocol/close-code.ts';
import { DAEMON_FILE, type DaemonAddress } from '../protocol/daemon/daemon-file.ts';
import { deadlineOf } from '../protocol/daemon/deadlines.ts';
import {
  DAEMON_PATH,
  DAEMON_RESULTS,
  DAEMON_VERSION,
  type DaemonMethod,
  type DaemonParams,
  type DaemonResults,
  message,
} from '../protocol/daemon/messages.ts';
import { Client } from '../rpc/client.ts';
import type { CallTable, ToServer } from '../rpc/messages.ts';
import type { Port } from '../rpc/port.ts';

/** The daemon is on this machine, so one that needs longer hangs. */
const HANDSHAKE_TIMEOUT_MS = 5000;
const CALL_DEADLINE_MS = 60_000;

const ENDED = 'The daemon of this folder ended before it answered.';
const TOO_LARGE =
  'The daemon of this folder rejected the request: it is larger than 1 MB. Name fewer trajectories, or a run.';

/** A JSON port over the socket. The daemon knows no cancellation, so messages of the transport itself stay here. */
const socketPort = (socket: WebSocket): Port => ({
  send: request => {
    const { method } = request as ToServer;
    if (socket.readyState === WebSocket.OPEN && !method.startsWith('$')) socket.send(JSON.stringify(request));
  },
  receive: handler => {
    socket.on('message', data => {
      const reply = message.parse(JSON.parse(data.toString()));
      // The daemon reports runs by notifications, which this client does not use.
      if (!('method' in reply)) handler(reply);
    });
  },
  closed: handler => {
    socket.once('close', code => handler(code === CLOSE_CODE_TOO_LARGE ? TOO_LARGE : ENDED));
  },
});

export class DialledDaemon {
  readonly #socket: WebSocket;
  readonly #client: Client<CallTable>;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    const options = { peer: 'The daemon of this folder', clock: systemClock };
    this.#client = new Client(socketPort(socket), options);
  }

  /** Rejects when the daemon does not answer or refuses this client. */
  static async dial({ pid, port, token }: DaemonAddress, client: string): Promise<DialledDaemon> {
    const options = { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, perMessageDeflate: false };
    const socket = new WebSocket(`ws://127.0.0.1:${port}${DAEMON_PATH}`, options);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.on('error', error =>
        reject(
          new Error(
            `The daemon of this folder (pid ${pid}, port ${port}) does not answer: ${error.message}. Stop it and try again, or delete '${DAEMON_FILE}' if that process is no daemon.`,
            { cause: error },
          ),
        ),
      );
    });
    const dialled = new DialledDaemon(socket);
    await dialled.ask('hello', { version: DAEMON_VERSION, token, client });
    return dialled;
  }

  async ask<M extends DaemonMethod>(method: M, params: DaemonParams<M>): Promise<DaemonResults[M]> {
    const deadlineMs = deadlineOf(method, CALL_DEADLINE_MS);
    return DAEMON_RESULTS[method].parse(await this.#client.call(method, params, { deadlineMs }));
  }

  close(): void {
    this.#socket.close();
  }
}
