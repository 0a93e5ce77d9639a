// `dartboard join`: this machine plays episodes for a run on another one.

import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import { configOfKind } from '../config/kind-config.ts';
import { treeOf, valueAt } from '../config/leaves.ts';
import type { Settings } from '../config/settings.ts';
import { MAX_HOST_DESKTOPS, MAX_HOST_WORKERS } from '../hosts/messages.ts';
import { playJoined } from '../run/joined/joined-host.ts';
import type { CliContext } from './context.ts';
import { wholeNumber } from './options.ts';

interface JoinCommandOptions {
  readonly desktops?: number;
  readonly policy: number;
  readonly name: string;
}

const MAX_NAME_LENGTH = 40;
const DESKTOPS = 8;

export function addJoinCommand(program: Command, context: CliContext): void {
  program
    .command('join')
    .description(
      'Play episodes for a run on another machine. The machine that trains shows the address. Ctrl-C finishes the episodes and leaves.',
    )
    .argument('<address>', 'URL#TOKEN, as the machine that trains shows it')
    .option(
      '--desktops <number>',
      `desktops on this machine (default: 'environments.desktops' of dartboard.json here, or ${DESKTOPS})`,
      wholeNumber(1, MAX_HOST_DESKTOPS),
    )
    .option('--policy <number>', 'policy workers on this machine', wholeNumber(1, MAX_HOST_WORKERS), 1)
    .option('--name <name>', 'name of this machine in the run', parseHostName, nameOf(hostname()))
    .action((address: string, options: JoinCommandOptions) => joinFrom(context, address, options));
}

async function joinFrom(
  { folder, environment, entries, clock, output, stopSignal }: CliContext,
  address: string,
  { desktops: asked, policy, name }: JoinCommandOptions,
): Promise<void> {
  const settings = () => readConfig(join(folder, CONFIG_FILE), environment);
  const desktops = asked ?? desktopsIn(await settings());
  return playJoined({
    ...{ address, name, entries, clock, offers: { desktops, policy } },
    configOf: async ({ environments: { kind }, suite: { files } }) =>
      configOfKind(await settings(), kind, desktops, files),
    say: text => output.write(`${text}\n`),
    leave: stopSignal(),
  });
}

function desktopsIn({ leaves }: Settings): number {
  const given = valueAt(treeOf(leaves), ['environments', 'desktops']);
  return typeof given === 'number' ? Math.min(given, MAX_HOST_DESKTOPS) : DESKTOPS;
}

/** It becomes part of the names of desktops. */
export function parseHostName(text: string): string {
  if (text.length <= MAX_NAME_LENGTH && /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(text)) return text;
  throw new InvalidArgumentError(
    `Give 1 to ${MAX_NAME_LENGTH} of the characters A-Z a-z 0-9 _ - and begin with a letter or a digit.`,
  );
}

/** The nearest valid name. */
export const nameOf = (host: string): string =>
  host
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_NAME_LENGTH) || 'host';
