// Connections to an engine through the program `ssh`, as Docker's own client makes them: one `docker system dial-stdio` a
// connection. So the user's keys, known hosts and configuration count; dockerode's own ssh knows none of them, and takes any
// host for the right one.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Agent, type ClientRequest } from 'node:http';
import { Duplex, type Readable, type Writable } from 'node:stream';
import type { EngineAddress } from './address.ts';
import { tail } from './streams.ts';

type Ssh = Extract<EngineAddress, { kind: 'ssh' }>;

/** An ssh server drops what logs in while ten others do (its MaxStartups); those in use do not count. */
const MOST_STARTING = 4;
const KEPT_COMPLAINTS = 1024;

export const sshArguments = ({ destination, port }: Ssh): readonly string[] => [
  '-T',
  // Nobody is there to be asked for a password.
  ...['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15', '-o', 'ServerAliveInterval=15'],
  ...(port === undefined ? [] : ['-p', String(port)]),
  '--',
  destination,
  'docker system dial-stdio',
];

declare module 'http' {
  interface Agent {
    /** Node's own, for a request that finds no connection free. */
    createSocket(request: ClientRequest, options: object, done: Answer): void;
  }
}
type Answer = (error: Error | null, connection?: Duplex) => void;

interface Waiting {
  readonly request: ClientRequest;
  readonly start: () => void;
  readonly drop: (why: Error) => void;
}

/** Makes connections a few at a time. What was given up before its turn has none. */
export class SshAgent extends Agent {
  readonly #address: Ssh;
  readonly #waiting: Waiting[] = [];
  #starting = 0;

  constructor(address: Ssh) {
    super({ keepAlive: true, maxFreeSockets: 2 });
    this.#address = address;
  }

  override createSocket(request: ClientRequest, options: object, done: Answer): void {
    this.#waiting.push({ request, start: () => super.createSocket(request, options, done), drop: done });
    this.#next();
  }

  override createConnection(
    _options: object,
    done?: (error: Error | null, connection: Duplex) => void,
  ): undefined {
    this.#starting += 1;
    const started = () => {
      this.#starting -= 1;
      this.#next();
    };
    done?.(null, new SshConnection(this.#address, started));
  }

  #next(): void {
    while (this.#starting < MOST_STARTING) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (next.request.destroyed) next.drop(new Error('it was given up'));
      else next.start();
    }
  }
}

/** A program's input and output as a connection. */
class SshConnection extends Duplex {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #complaints = tail(KEPT_COMPLAINTS);
  readonly #destination: string;
  #started: (() => void) | undefined;

  /** `started` is called once: when it answers first, or is over. */
  constructor(address: Ssh, started: () => void) {
    super({ allowHalfOpen: false });
    this.#destination = address.destination;
    this.#started = started;
    // Detached, or Ctrl-C in a terminal would cut the connection before the containers are removed.
    this.#child = spawn('ssh', sshArguments(address), { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const { stdin, stdout, stderr } = this.#child;
    stdout.on('data', (data: Buffer) => {
      this.#start();
      if (!this.push(data)) stdout.pause();
    });
    stderr.on('data', (data: Buffer) => this.#complaints.add(data));
    // What cannot be written is told by the end of the program.
    stdin.on('error', () => {});
    this.#child.once('error', error => this.destroy(new Error(`the program ssh: ${error.message}`)));
    this.#child.once('close', code => this.#over(code));
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(data: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Why a program takes nothing any more it says itself, at its end.
    this.#child.stdin.write(data, () => done());
  }

  override _final(done: () => void): void {
    // Of a program that has ended nobody would ever hear that its input has.
    this.#child.stdin.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#start();
    this.#child.kill();
    done(error);
  }

  // What a request expects of a socket, and has no meaning here.
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

  #start(): void {
    const started = this.#started;
    this.#started = undefined;
    started?.();
  }

  #over(code: number | null): void {
    if (this.destroyed) return;
    if (code === 0) return void this.push(null);
    const said = this.#complaints.text().trim().split('\n').at(-1) ?? '';
    this.destroy(new Error(`ssh to ${this.#destination} ended: ${said || `exit code ${code}`}`));
  }
}
