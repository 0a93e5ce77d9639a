// Finds a server of NATS on this machine and runs it as a child process.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Clock } from '../core/clock.ts';
import { sleepUnlessAborted } from '../core/clock.ts';
import { withDeadline } from '../core/deadline.ts';

const NAME = 'nats-server';
/** Folders that are not in the PATH of every user. */
const USUAL_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
/** The packages of NATS for Node need it. */
export const MIN_VERSION = '2.9.4';
/** For programs that report their version and end. */
const VERSION_TIMEOUT_MS = 10_000;

export interface NatsProgram {
  readonly path: string;
  readonly version: string;
}

/** `configured` replaces the search. Rejects with a RangeError that explains how to install one. */
export async function findNatsServer(configured?: string): Promise<NatsProgram> {
  const candidates = configured ? [configured] : [NAME, ...USUAL_FOLDERS.map(folder => `${folder}/${NAME}`)];
  for (const path of candidates) {
    const version = await versionOf(path, configured ? ABSENT : ABSENT_IN_PATH);
    if (version === undefined) continue;
    if (isTooOld(version))
      throw new RangeError(`${path} is nats-server ${version}. Install version ${MIN_VERSION} or newer.`);
    return { path, version };
  }
  throw new RangeError(
    configured
      ? `There is no nats-server at '${configured}'. Correct --server, or leave it out.`
      : `The program ${NAME} was not found. Install it: ${INSTALL[process.platform] ?? INSTALL_ANY}. Or name its file with --server.`,
  );
}

const INSTALL_ANY = 'unpack it from https://github.com/nats-io/nats-server/releases';
const INSTALL: Readonly<Record<string, string>> = {
  linux: `'sudo apt-get install nats-server' on Debian and Ubuntu, or ${INSTALL_ANY}`,
  darwin: `'brew install nats-server', or ${INSTALL_ANY}`,
};

const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT']);
/** The system reports the others for a name that is nowhere in PATH, if a folder of PATH cannot be searched or is a file. */
const ABSENT_IN_PATH: ReadonlySet<unknown> = new Set([...ABSENT, 'EACCES', 'ENOTDIR']);

/** Undefined if there is no such program: `absent` are the codes of its error then. */
async function versionOf(path: string, absent: ReadonlySet<unknown>): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    return /\bv?(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(error.code)) return undefined;
    throw error;
  }
}

export function isTooOld(version: string): boolean {
  const [parts = [], least = []] = [version, MIN_VERSION].map(each =>
    each.split('.').map(part => Number.parseInt(part, 10)),
  );
  const first = least.findIndex((part, index) => part !== parts[index]);
  return first >= 0 && (parts[first] ?? 0) < (least[first] ?? 0);
}

export interface NatsServerOptions {
  readonly program: string;
  /** The file of its configuration. */
  readonly configuration: string;
  /** Replaces that of the configuration. */
  readonly port?: number;
  readonly clock: Clock;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const KEPT_LINES = 20;

export class NatsServer {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #lines: string[] = [];
  readonly #exit: Promise<unknown>;
  #port = 0;

  private constructor({ program, configuration, port, clock }: NatsServerOptions) {
    this.#clock = clock;
    const options = ['-c', configuration, ...(port === undefined ? [] : ['-p', String(port)])];
    this.#child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#exit = once(this.#child, 'exit');
    // A failed start is reported by `#ready`.
    this.#exit.catch(() => undefined);
  }

  /** Resolves when it accepts connections. */
  static async start(options: NatsServerOptions): Promise<NatsServer> {
    const server = new NatsServer(options);
    try {
      await withDeadline(server.#ready(), {
        ...{ what: 'The start of nats-server', ms: START_TIMEOUT_MS, clock: options.clock },
      });
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** The one that it chose, if the configuration leaves it free. */
  get port(): number {
    return this.#port;
  }

  /** Resolves with the reason when it ends by itself or by `stop`. */
  async ended(): Promise<string> {
    await this.#exit;
    return this.#reason();
  }

  /** It finishes its writes first. */
  async stop(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    this.#child.kill('SIGTERM');
    const stopped = new AbortController();
    const timeout = sleepUnlessAborted(this.#clock, STOP_TIMEOUT_MS, stopped.signal).then(() => {
      if (!stopped.signal.aborted) this.#child.kill('SIGKILL');
    });
    await this.#exit;
    stopped.abort();
    await timeout;
  }

  #ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#exit.then(() => reject(new Error(this.#reason())), reject);
      const { stderr } = this.#child;
      if (stderr === null) return;
      createInterface(stderr).on('line', line => {
        this.#lines.push(line);
        if (this.#lines.length > KEPT_LINES) this.#lines.shift();
        const [, port] = /Listening for client connections on \S+:(\d+)/.exec(line) ?? [];
        if (port !== undefined) this.#port = Number(port);
        if (line.includes('Server is ready')) resolve();
      });
    });
  }

  /** From its log, if it gave up by itself. */
  #reason(): string {
    const { exitCode, signalCode } = this.#child;
    const complaint = this.#lines.findLast(line => /\[FTL\]|^nats-server: /.test(line));
    const what = complaint?.replace(/^.*\[FTL\] /, '') ?? `exit ${signalCode ?? `code ${exitCode}`}`;
    const remedy = what.includes('address already in use')
      ? 'Another program, perhaps an earlier nats-server, uses the port. Stop it, or choose another port with --listen.'
      : "Start 'dartboard up' again: messages in the queues stay.";
    return `nats-server ended: ${what}. ${remedy}`;
  }
}
