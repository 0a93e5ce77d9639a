// `dartboard up`: runs a server of NATS for runs on several machines, with keys and certificates of its own.

import { rm } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join, relative } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CONFIG_FILE } from '../config/config-file.ts';
import { messageOf } from '../core/errors.ts';
import { exists } from '../core/existing-file.ts';
import { freeBytesOf } from '../core/free-space.ts';
import { isLoopback } from '../core/loopback.ts';
import { thisProcess } from '../core/process-identity.ts';
import { untilAborted } from '../core/run-together.ts';
import { GuardedServer } from '../hosts/guarded-server.ts';
import { EVERY_ADDRESS, hostInUrl, type ListenAddress, parseListen } from '../hosts/join-address.ts';
import { PID_FILE, STORE_FOLDER, writeNatsFolder } from '../hosts/nats-folder.ts';
import { findNatsServer } from '../hosts/nats-server.ts';
import { SecretFolder } from '../hosts/secret-folder.ts';
import type { CliContext } from './context.ts';

/** Below the workspace. */
const NATS_FOLDER = join('.dartboard', 'nats');
const DEFAULT_LISTEN = '127.0.0.1:4222';
/** Proposed for the daemon's server for hosts. */
const HOSTS_PORT = 7422;

interface UpCommandOptions {
  readonly listen: ListenAddress;
  readonly tls?: boolean;
  readonly names?: readonly string[];
  readonly server?: string;
}

export function addUpCommand(program: Command, context: CliContext): void {
  program
    .command('up')
    .description(
      'Run a server of NATS, the broker of runs on several machines, and print the settings that use it. The program nats-server must be installed.',
    )
    .addOption(
      new Option(
        '--listen <address>',
        'address and port. Give an address of this machine in the network for hosts of other machines; connections are then encrypted',
      )
        .argParser(parseListenOption)
        .default(parseListenOption(DEFAULT_LISTEN), DEFAULT_LISTEN),
    )
    .option('--tls', 'encrypt connections on this machine, too')
    .option(
      '--names <names>',
      'further names and addresses of this machine for its certificate, as tower.lan,10.0.0.5',
      parseNames,
    )
    .option('--server <file>', 'the program nats-server (default: the one that is installed)')
    .action((options: UpCommandOptions) => up(context, options));
}

function parseListenOption(text: string): ListenAddress {
  try {
    return parseListen(text, 'The value');
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

function parseNames(text: string): readonly string[] {
  const names = text.split(',').map(name => name.trim());
  if (names.every(name => /^[A-Za-z0-9.:-]{1,253}$/.test(name))) return names;
  throw new InvalidArgumentError('Give names or addresses, as tower.lan,10.0.0.5');
}

async function up(
  { folder: workspace, clock, output, stopSignal }: CliContext,
  { listen, tls = false, names = [], server: configured }: UpCommandOptions,
): Promise<void> {
  const stop = stopSignal();
  const program = await findNatsServer(configured);
  const isEncrypted = tls || !isLoopback(listen.host) || names.length > 0;
  const folder = join(workspace, NATS_FOLDER);
  const secrets = await SecretFolder.open(folder);
  await refuseSecond(secrets);
  const files = await writeNatsFolder({
    ...{ secrets, listen, atMs: clock.now() },
    ...(isEncrypted && { certifiedNames: namesOf(listen, names) }),
  });
  const server = await GuardedServer.start({
    ...{ program: program.path, configuration: files.configuration, clock },
    ...{ store: secrets.pathOf(STORE_FOLDER), freeBytes: freeBytesOf },
    say: text => void output.write(`  ${text}\n`),
  });
  try {
    const address = EVERY_ADDRESS.has(listen.host) ? hostname() : hostInUrl(listen.host);
    const url = `${isEncrypted ? 'tls' : 'nats'}://${address}:${server.port}`;
    const fabric = {
      ...{ kind: 'nats', servers: [url] },
      credentials: relative(workspace, files.credentials).replaceAll('\\', '/'),
      listen: `${hostInUrl(listen.host)}:${HOSTS_PORT}`,
    };
    output.write(announcement(program.version, url, { fabric }, await exists(join(workspace, CONFIG_FILE))));
    const reason = await Promise.race([untilAborted(stop), server.ended()]);
    if (typeof reason === 'string' && !stop.aborted) throw new Error(reason);
    output.write('  Stopping. Messages that wait in the queues stay in the folder of the server.\n');
  } finally {
    await server.stop();
    await rm(secrets.pathOf(PID_FILE), { force: true });
  }
}

/** A second server would damage the data of the first, also of one whose `dartboard up` was killed. */
async function refuseSecond(secrets: SecretFolder): Promise<void> {
  const pid = Number((await secrets.read(PID_FILE))?.trim());
  if (!Number.isInteger(pid) || pid <= 0 || !thisProcess().isAlive(pid, '')) return;
  throw new Error(
    `A nats-server of this folder runs already (pid ${pid}). Use it, or stop it. If that process is another program, delete '${secrets.pathOf(PID_FILE)}'.`,
  );
}

/** The first one is shown by programs. */
function namesOf({ host }: ListenAddress, more: readonly string[]): readonly string[] {
  const addresses = EVERY_ADDRESS.has(host)
    ? Object.values(networkInterfaces())
        .flatMap(each => each ?? [])
        .flatMap(({ address }) => (address.startsWith('fe80') ? [] : [address]))
    : [host];
  return [...new Set([hostname(), ...addresses, 'localhost', '127.0.0.1', '::1', ...more])];
}

/** Without a dartboard.json it shows a whole file, otherwise what to add. */
function announcement(version: string, url: string, settings: unknown, hasFile: boolean): string {
  const file = JSON.stringify(settings, undefined, 2).split('\n');
  const lines = hasFile ? file.slice(1, -1) : file;
  return `
  nats-server ${version} listens at ${url}. Its keys and data are in ${NATS_FOLDER}.

  ${hasFile ? `Add to ${CONFIG_FILE} of this folder, inside its outer braces` : `Write to a new file ${CONFIG_FILE} in this folder`}:

${lines.map(line => `  ${line}`).join('\n')}

  'dartboard train' then prints the command with which other machines join. Ctrl-C stops.

`;
}
