// Connections to an engine through the program `ssh`, as Docker's own client makes them: one `docker system dial-stdio` a
// connection. So the user's keys, known hosts and configuration count; dockerode's own ssh knows none of them, and takes any
// host for the right one.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { Duplex, type Readable, type Writable } from 'node:stream';
import type { Address } from './address.ts';
import { tail } from './streams.ts';

type Ssh = Extract<Address, { kind: 'ssh' }>;

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

export function sshAgent(address: Ssh): Agent {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 2 });
  const waiting: (() => void)[] = [];
  let starting = 0;
  const next = () => {
    if (starting >= MOST_STARTING) return;
    const start = waiting.shift();
    if (start === undefined) return;
    starting += 1;
    start();
  };
  agent.createConnection = (_options, done) => {
    waiting.push(() => {
      const connection = new SshConnection(address, () => {
        starting -= 1;
        next();
      });
      done?.(null, connection);
    });
    next();
    return undefined;
  };
  return agent;
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
