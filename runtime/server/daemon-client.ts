// A terminal's connection to the daemon that runs in the workspace: greets it, asks, and hears each reply. It is not told of runs.

import { WebSocket } from 'ws';
import { DAEMON_FILE, type DaemonAddress } from '../protocol/daemon/daemon-file.ts';
import {
  DAEMON_PATH,
  DAEMON_RESULTS,
  DAEMON_VERSION,
  type DaemonMessage,
  type DaemonMethod,
  type DaemonParams,
  type DaemonResults,
  message,
} from '../protocol/daemon/messages.ts';

/** It is on this machine: who does not answer in that time hangs. */
const HANDSHAKE_WITHIN = 5000;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class DialledDaemon {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', data => this.#heard(message.parse(JSON.parse(data.toString()))));
    socket.on('close', () => this.#lost());
  }

  /** Rejects where it does not answer, or does not let this client in. */
  static async dial({ pid, port, token }: DaemonAddress, client: string): Promise<DialledDaemon> {
    const options = { handshakeTimeout: HANDSHAKE_WITHIN, perMessageDeflate: false };
    const socket = new WebSocket(`ws://127.0.0.1:${port}${DAEMON_PATH}`, options);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.on('error', error =>
        reject(
          new Error(
            `The daemon of this folder (pid ${pid}, port ${port}) does not answer: ${error.message}. Stop it and try again; or delete '${DAEMON_FILE}' if that is no daemon.`,
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
    const id = this.#count++;
    const reply = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ id, method, params }));
    else this.#lost();
    return DAEMON_RESULTS[method].parse(await reply);
  }

  close(): void {
    this.#socket.close();
  }

  #heard(said: DaemonMessage): void {
    if ('method' in said || said.id === null) return;
    const waiting = this.#waiting.get(said.id);
    this.#waiting.delete(said.id);
    if ('error' in said) waiting?.reject(new Error(said.error.message));
    else waiting?.resolve(said.result);
  }

  #lost(): void {
    const error = new Error('The daemon of this folder went before it answered.');
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
