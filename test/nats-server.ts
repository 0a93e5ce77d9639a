// A real nats-server with JetStream on a port and a store of its own, for tests. It can be paused, killed, and started again on its store.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from './temporary.ts';

export interface NatsServer {
  readonly port: number;
  /** nats://127.0.0.1:PORT, without credentials. */
  readonly url: string;
  /** SIGSTOP: connections stay open, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** SIGKILL, as in a crash. The store stays. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same port and store. Resolves when it accepts connections. */
  restart(options?: { readonly hasStreams: boolean }): Promise<void>;
  /** Ends it, paused or not. May be called more than once. */
  stop(): Promise<void>;
}

export interface NatsServerOptions {
  /** Lines that are added to its configuration: users, TLS. The port, the store and JetStream are already there. */
  readonly configuration?: string;
  /** The room that streams can reserve. By default more than the tests of one server do, whatever room the disk has. */
  readonly maxStoreBytes?: number;
}

/** Resolves when it accepts connections. The caller stops it, in `afterAll` or `onTestFinished`. */
export async function startNatsServer({
  configuration = '',
  maxStoreBytes = 64e9,
}: NatsServerOptions = {}): Promise<NatsServer> {
  const folder = temporaryFolder('nats');
  const folderOfStreams = JSON.stringify(join(folder, 'store'));
  const streams = `jetstream { store_dir: ${folderOfStreams}, max_file_store: ${maxStoreBytes} }`;
  let { child, port } = await launch(folder, 0, [streams, configuration]);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: end,
    restart: async ({ hasStreams } = { hasStreams: true }) => {
      ({ child, port } = await launch(folder, port, [...(hasStreams ? [streams] : []), configuration]));
    },
    stop: end,
  };
}

/** Port 0 chooses a free one. */
async function launch(
  folder: string,
  port: number,
  configuration: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const file = join(folder, 'nats.conf');
  const lines = [
    'host: 127.0.0.1',
    // The server has its own number for "any free port".
    `port: ${port || -1}`,
    ...configuration,
  ];
  writeFileSync(file, lines.join('\n'));
  const child = spawn('nats-server', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const log: string[] = [];
  const listening = await new Promise<number>((resolve, reject) => {
    let found = port;
    createInterface(child.stderr).on('line', line => {
      log.push(line);
      const [, chosen] = /Listening for client connections on \S+:(\d+)/.exec(line) ?? [];
      if (chosen !== undefined) found = Number(chosen);
      if (line.includes('Server is ready')) resolve(found);
    });
    child.once('error', () =>
      reject(
        new Error(
          "nats-server did not start: the program 'nats-server' is not in PATH. Install it ('apt-get install nats-server'), then run the test again.",
        ),
      ),
    );
    child.once('exit', () => reject(new Error(`nats-server did not start:\n${log.join('\n')}`)));
  });
  const killWithTest = () => void child.kill('SIGKILL');
  process.once('exit', killWithTest);
  child.once('exit', () => process.off('exit', killWithTest));
  return { child, port: listening };
}
