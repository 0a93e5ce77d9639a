// A real PostgreSQL server with a cluster and a port of its own, for tests. It can be killed, and started again on its data.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './temporary.ts';

export interface PostgresServer {
  /** The user may do everything, and needs no password. */
  readonly url: string;
  /** SIGKILL, as in a crash. The data stay. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same port and data. Resolves when it accepts connections. */
  restart(): Promise<void>;
  /** May be called more than once. */
  stop(): Promise<void>;
}

const VERSIONS = '/usr/lib/postgresql';
const USER = 'dartboard';
/** The processes of a killed server end by themselves; until then another one cannot use its data. */
const RESTART_DELAY_MS = 100;
const MAX_RESTARTS = 300;

/** Resolves when it accepts connections. The caller stops it, in `afterAll` or `onTestFinished`. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = programsFolder();
  const owner = unprivileged();
  const folder = temporaryFolder('postgres');
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const options = ['--pgdata', data, '--username', USER, '--auth', 'trust', '--encoding', 'UTF8'];
  execFileSync(join(programs, 'initdb'), [...options, '--locale', 'C.UTF-8', '--no-sync'], {
    ...owner,
    cwd: folder,
    stdio: 'pipe',
  });
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=200',
  ];
  const launch = () =>
    spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap(each => ['-c', each])],
      { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { LC_ALL: 'C' } },
    );
  let child = await launched(launch);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `postgresql://${USER}@127.0.0.1:${port}/postgres`,
    kill: end,
    restart: async () => {
      child = await launched(launch);
    },
    stop: end,
  };
}

/** Repeats the start while processes of a killed server use the data. */
async function launched(launch: () => ChildProcess): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    const child = launch();
    const log: string[] = [];
    const isReady = await new Promise<boolean>(resolve => {
      if (child.stderr !== null)
        createInterface(child.stderr).on('line', line => {
          log.push(line);
          if (line.includes('is ready to accept connections')) resolve(true);
        });
      child.once('error', () => resolve(false));
      child.once('exit', () => resolve(false));
    });
    if (isReady) {
      const killWithTest = () => void child.kill('SIGKILL');
      process.once('exit', killWithTest);
      child.once('exit', () => process.off('exit', killWithTest));
      return child;
    }
    if (attempt === MAX_RESTARTS || !log.some(line => line.includes('in use')))
      throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`);
    await sleep(RESTART_DELAY_MS);
  }
}

function programsFolder(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const folder = versions
    .map(version => join(VERSIONS, version, 'bin'))
    .find(path => existsSync(join(path, 'initdb')));
  if (folder !== undefined) return folder;
  throw new Error(
    `PostgreSQL did not start: there is no server below '${VERSIONS}'. Install it ('apt-get install postgresql'), then run the test again.`,
  );
}

/** The server refuses to run as root. The package of Debian creates the user postgres. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A listening server has no port.');
  return address.port;
}
