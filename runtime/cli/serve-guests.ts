// `dartboard serve --guests`: offers Docker desktops under OSWorld's guest API.

import { isIP } from 'node:net';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import { type Settings, settingsFromOptions } from '../config/settings.ts';
import { untilAborted } from '../core/run-together.ts';
import { hostSettings } from '../environments/docker/address.ts';
import { openFleet } from '../environments/docker/open-docker.ts';
import { takeContainer } from '../guest-server/container-machine.ts';
import { type GuestServer, serveGuestDesktops } from '../guest-server/serve-guest-desktops.ts';
import type { CliContext } from './context.ts';
import { wholeNumber } from './options.ts';

/** All are optional, so that their absence is known. */
export interface GuestsCommandOptions {
  readonly guests?: number;
  readonly image?: string;
  readonly firstPort?: number;
  readonly host?: string;
}

const MAX_GUESTS = 1000;
/** The port of OSWorld's server. */
const DEFAULT_FIRST_PORT = 5000;
const DEFAULT_HOST = '127.0.0.1';
const MAX_PORT = 65_535;

export const addGuestsOptions = (command: Command): Command =>
  command
    .optionsGroup("Docker desktops for clients of OSWorld's guest API, instead of the daemon:")
    .option(
      '--guests <number>',
      'serve so many Docker desktops, each at a port of its own (also uses --host)',
      wholeNumber(1, MAX_GUESTS),
    )
    .option(
      '--image <image>',
      "small, large, or the tag of an image (default: 'environments.docker.image' of dartboard.json, or small)",
      parseImage,
    )
    .option(
      '--first-port <number>',
      `port of the first desktop; the others follow (default: ${DEFAULT_FIRST_PORT})`,
      wholeNumber(0, MAX_PORT),
    );

function parseImage(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Give small, large, or the tag of an image.');
}

/** Throws a RangeError for an option that would have no effect. */
export function requireGuests({ guests, image, firstPort }: GuestsCommandOptions): void {
  const used = image !== undefined ? '--image' : firstPort !== undefined ? '--first-port' : undefined;
  if (guests !== undefined || used === undefined) return;
  throw new RangeError(`${used} has no effect without --guests. Add --guests, or leave it out.`);
}

export async function serveGuests(
  context: CliContext,
  { guests = 1, image, firstPort = DEFAULT_FIRST_PORT, host = DEFAULT_HOST }: GuestsCommandOptions,
): Promise<void> {
  const { folder, clock, output, printError, environment, stopSignal } = context;
  if (firstPort + guests - 1 > MAX_PORT)
    throw new RangeError(
      `--first-port ${firstPort} leaves no ports for ${guests} desktops. Give a number up to ${MAX_PORT - guests + 1}.`,
    );
  const stop = stopSignal();
  const { docker } = dockerSettings(await readConfig(join(folder, CONFIG_FILE)), guests, image).environments;
  output.write(
    `\n  Starting ${guests} Docker ${guests === 1 ? 'desktop' : 'desktops'} of the image ${docker.image}.\n`,
  );
  const report = (thing: string, isHealthy: boolean, message: string): void =>
    printError(`${thing}${isHealthy ? '' : ' failed'}: ${message}`);
  const { fleet, close } = await openFleet({
    ...docker,
    // A replacement starts within seconds; nobody waits for it.
    ...{ spares: 0, owner: 'guests', settings: hostSettings(environment), clock, health: report },
  });
  let server: GuestServer | undefined;
  try {
    const take = takeContainer(fleet, clock);
    server = await serveGuestDesktops({ count: guests, host, firstPort, take, clock, report });
    const stopped = untilAborted(stop);
    await Promise.race([server.ready(), stopped]);
    if (!stop.aborted) {
      output.write(announcement(server.addresses, host));
      await stopped;
    }
    output.write('  Stopping: the desktops close.\n');
  } finally {
    await Promise.all([server?.close(), close()]);
  }
}

/** Only the engines and images of the file count: its tasks and its kind of desktops are those of a run. */
export function dockerSettings(file: Settings, guests: number, image: string | undefined): Config {
  const leaves = file.leaves.filter(
    ({ path: [section, kind] }) => section === 'environments' && kind === 'docker',
  );
  const options = settingsFromOptions({
    environments: { kind: 'docker', desktops: guests, ...(image !== undefined && { docker: { image } }) },
  });
  return resolve({ ...file, leaves }, options, { evaluates: false }).config;
}

function announcement(addresses: readonly string[], host: string): string {
  const [first = ''] = addresses;
  const isPrivate = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  const warning = isPrivate
    ? ''
    : '\n  Everybody who reaches these ports controls the desktops. Use them in a trusted network only.\n';
  return `
  Dartboard serves Docker desktops under OSWorld's guest API.

${addresses.map(address => `      ${address}`).join('\n')}
${warning}
  Restore the clean state of a desktop:   curl -X POST ${first}/dartboard/revert
  docs/osworld.md describes the API. Ctrl-C stops.

`;
}
