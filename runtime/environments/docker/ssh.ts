// Connections to an engine through the program `ssh`, like Docker's own client: each connection runs `docker system dial-stdio`. This uses
// the keys, known hosts and configuration of the user. dockerode's own ssh ignores them and accepts any host key.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Agent, type ClientRequest } from 'node:http';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { asError } from '../../core/errors.ts';
import { requirePipes } from '../child-pipes.ts';
import type { EngineAddress } from './address.ts';

type SshAddress = Extract<EngineAddress, { kind: 'ssh' }>;

/** An ssh server drops logins while ten others are in progress (MaxStartups). Established connections do not count. */
const MAX_STARTING = 4;
const MAX_ERROR_CHARACTERS = 1024;

export const sshArguments = ({ destination, port }: SshAddress): readonly string[] => [
  '-T',
  // Batch mode: nobody can enter a password.
  ...['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15', '-o', 'ServerAliveInterval=15'],
  ...(port === undefined ? [] : ['-p', String(port)]),
  '--',
  destination,
  'docker system dial-stdio',
];

declare module 'http' {
  interface Agent {
    /** Node calls this for a request without a free connection. */
    createSocket(request: ClientRequest, options: object, done: ConnectionCallback): void;
  }
}
type ConnectionCallback = (error: Error | null, connection?: Duplex) => void;

interface PendingConnection {
  readonly request: ClientRequest;
  readonly start: () => void;
  readonly done: ConnectionCallback;
}

/** Starts a few connections at a time. A request that is aborted in the queue gets none. */
export class SshAgent extends Agent {
  readonly #address: SshAddress;
  readonly #queue: PendingConnection[] = [];
  #starting = 0;

  constructor(address: SshAddress) {
    super({ keepAlive: true, maxFreeSockets: 2 });
    this.#address = address;
  }

  override createSocket(request: ClientRequest, options: object, done: ConnectionCallback): void {
    this.#queue.push({ request, start: () => super.createSocket(request, options, done), done });
    this.#startNext();
  }

  override createConnection(
    _options: object,
    done?: (error: Error | null, connection: Duplex) => void,
  ): undefined {
    // Node's type has no connection with an error.
    const reply = done as ConnectionCallback | undefined;
    const started = () => {
      this.#starting -= 1;
      this.#startNext();
    };
    let connection: SshConnection;
    try {
      connection = new SshConnection(this.#address, started);
    } catch (error) {
      reply?.(asError(error));
      return;
    }
    this.#starting += 1;
    reply?.(null, connection);
  }

  #startNext(): void {
    while (this.#starting < MAX_STARTING) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      if (next.request.destroyed) next.done(new Error('the request was aborted'));
      else next.start();
    }
  }
}

/** Input and output of an ssh process as a socket. */
class SshConnection extends Duplex {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #errors = '';
  readonly #destination: string;
  #started: (() => void) | undefined;

  /** Calls `started` once: at the first output or at the end. */
  constructor(address: SshAddress, started: () => void) {
    super({ allowHalfOpen: false });
    this.#destination = address.destination;
    this.#started = started;
    // Detached, so that Ctrl-C in a terminal does not cut the connection before the containers are removed.
    this.#child = spawn('ssh', sshArguments(address), { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    requirePipes(this.#child, "the program 'ssh'");
    const { stdin, stdout, stderr } = this.#child;
    stdout.on('data', (data: Buffer) => {
      this.#reportStart();
      if (!this.push(data)) stdout.pause();
    });
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-MAX_ERROR_CHARACTERS);
    });
    stdin.on('error', () => undefined); // The end of the process reports the reason.
    this.#child.once('error', error =>
      this.destroy(new Error(`cannot start the program ssh: ${error.message}. Install it.`)),
    );
    this.#child.once('close', code => this.#onClose(code));
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(data: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#child.stdin.write(data, () => done());
  }

  override _final(done: () => void): void {
    // Without a wait for the callback: a process that has ended never calls it.
    this.#child.stdin.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#reportStart();
    this.#child.kill();
    done(error);
  }

  // The HTTP client calls these methods of a socket; they have no meaning for a process.
  setKeepAlive(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setTimeout(): this {
    return this;
  }
  ref(): this {
    this.#child.ref();
    return this;
  }
  unref(): this {
    this.#child.unref();
    return this;
  }

  #reportStart(): void {
    this.#started?.();
    this.#started = undefined;
  }

  #onClose(code: number | null): void {
    if (this.destroyed) return;
    if (code === 0) return void this.push(null);
    const lastLine = this.#errors.trim().split('\n').at(-1);
    this.destroy(new Error(`ssh to ${this.#destination} ended: ${lastLine || `exit code ${code}`}`));
  }
}
