// `dartboard serve --openenv`: offers desktops to other programs as OpenEnv environments.

import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ResolvedConfig, resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import { treeOf, valueAt } from '../config/leaves.ts';
import { type Settings, settingsFromOptions } from '../config/settings.ts';
import { untilAborted } from '../core/run-together.ts';
import { gateRules } from '../openenv/gate.ts';
import { OBSERVATION_MODES, type ObservationMode } from '../openenv/observation.ts';
import { type ServedDesktops, serveDesktops } from '../openenv/serve-desktops.ts';
import { DESKTOP_KINDS, type DesktopKind, KIND_TITLES } from '../protocol/desktop-kinds.ts';
import type { CliContext } from './context.ts';
import { parseMinutes, wholeNumber } from './options.ts';

/** All are optional, so that their absence is known. */
export interface OpenEnvCommandOptions {
  readonly openenv?: boolean;
  readonly desktops?: DesktopKind;
  readonly sessions?: number;
  readonly observation?: ObservationMode;
  readonly idleMinutes?: number;
  readonly host?: string;
  readonly token?: string;
}

/** A token of the user's choice: other users of a machine can list the options of a process. */
export const TOKEN_VARIABLE = 'DARTBOARD_OPENENV_TOKEN';
const MIN_TOKEN_LENGTH = 16;
const MAX_SESSIONS = 1000;
const DEFAULT_IDLE_MINUTES = 10;
const DEFAULT_OBSERVATION: ObservationMode = 'screenshot';

export const addOpenEnvOptions = (command: Command): Command =>
  command
    .optionsGroup('Desktops for other programs, instead of the daemon:')
    .option('--openenv', 'serve desktops as OpenEnv environments; each WebSocket is a session with a desktop')
    .addOption(
      new Option(
        '--desktops <kind>',
        'kind of desktops (default: that of dartboard.json, or pocket)',
      ).choices(DESKTOP_KINDS),
    )
    .option(
      '--sessions <number>',
      "sessions at a time, and so desktops (default: 'environments.desktops' of dartboard.json, or 32; 8 for docker, web and offline; 1 for guest)",
      wholeNumber(1, MAX_SESSIONS),
    )
    .addOption(
      new Option(
        '--observation <mode>',
        `screenshot: PNG. text: accessibility tree. both. A reset may name another; guests have text only with text or both (default: ${DEFAULT_OBSERVATION})`,
      ).choices(OBSERVATION_MODES),
    )
    .option(
      '--idle-minutes <number>',
      `a session without messages ends after this time (default: ${DEFAULT_IDLE_MINUTES})`,
      parseMinutes,
    )
    .option(
      '--host <address>',
      'address to listen on; with --openenv, others than 127.0.0.1 need a token (default: 127.0.0.1)',
    )
    .option(
      '--token <text>',
      `token that clients must send, ${MIN_TOKEN_LENGTH} characters or more; or set ${TOKEN_VARIABLE}`,
      parseToken,
    );

export function parseToken(text: string): string {
  if (text.length >= MIN_TOKEN_LENGTH && /^[A-Za-z0-9._~-]+$/.test(text)) return text;
  throw new InvalidArgumentError(`Give ${MIN_TOKEN_LENGTH} or more of the characters A-Z a-z 0-9 . _ ~ -`);
}

const OPENENV_ONLY = ['desktops', 'sessions', 'observation', 'idleMinutes', 'host', 'token'] as const;

/** Throws a RangeError for an option that would have no effect. */
export function requireOpenEnv(options: OpenEnvCommandOptions): void {
  const used = OPENENV_ONLY.find(name => options[name] !== undefined);
  if (used === undefined) return;
  const option = used.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  throw new RangeError(`--${option} has no effect without --openenv. Add --openenv, or leave it out.`);
}

/** Desktops and tasks. The agent of the client acts, so the rest of the file has no effect. */
const SERVED_SECTIONS: ReadonlySet<string> = new Set(['environments', 'suite']);

/** Throws a ConfigError. */
export function servedConfig(
  file: Settings,
  {
    desktops,
    sessions,
    observation = DEFAULT_OBSERVATION,
  }: Pick<OpenEnvCommandOptions, 'desktops' | 'sessions' | 'observation'>,
): ResolvedConfig {
  const leaves = file.leaves.filter(({ path: [section] }) => SERVED_SECTIONS.has(String(section)));
  const kind = desktops ?? valueAt(treeOf(leaves), ['environments', 'kind']);
  const options = settingsFromOptions({
    // Text observations need the accessibility tree. Stored trajectories have none, and guests need seconds for it.
    mode:
      kind === 'offline' || (kind === 'guest' && observation === 'screenshot')
        ? 'screenshot'
        : 'screenshot_a11y_tree',
    environments: {
      ...(desktops !== undefined && { kind: desktops }),
      ...(sessions !== undefined && { desktops: sessions }),
    },
  });
  return resolve({ ...file, leaves }, options, { evaluates: false });
}

export async function serveOpenEnv(
  context: CliContext,
  options: OpenEnvCommandOptions & { readonly port: number },
): Promise<void> {
  const { folder, clock, output, printError, environment, stopSignal } = context;
  const { observation = DEFAULT_OBSERVATION, idleMinutes = DEFAULT_IDLE_MINUTES, port, host } = options;
  const token = options.token ?? tokenOf(environment[TOKEN_VARIABLE]);
  // Before the desktops start, which may take minutes.
  if (host !== undefined) gateRules(host, token);
  const stop = stopSignal();
  const { config, notices } = servedConfig(await readConfig(join(folder, CONFIG_FILE)), options);
  for (const notice of notices) printError(notice);
  const { kind, desktops: sessions } = config.environments;
  if (kind === 'offline' && observation !== 'screenshot')
    throw new RangeError(
      `--observation is '${observation}', but stored trajectories have no elements. Use 'screenshot'.`,
    );
  output.write(
    `\n  Starting ${sessions} ${sessions === 1 ? 'desktop' : 'desktops'}: ${KIND_TITLES[kind]}.\n`,
  );
  let served: ServedDesktops;
  try {
    served = await serveDesktops({
      ...{ config, sessions, observation, port, clock, stop, idleMs: 60_000 * idleMinutes },
      ...(host !== undefined && { host }),
      ...(token !== undefined && { token }),
      health: (thing, healthy, message) => printError(`${thing}${healthy ? '' : ' failed'}: ${message}`),
    });
  } catch (error) {
    if (stop.aborted) return;
    throw error;
  }
  try {
    output.write(announcement(served.url, token));
    await untilAborted(stop);
    output.write('  Stopping: sessions end and desktops close.\n');
  } finally {
    await served.close();
  }
}

function tokenOf(chosen: string | undefined): string | undefined {
  if (chosen === undefined || chosen === '') return undefined;
  try {
    return parseToken(chosen);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RangeError(`${TOKEN_VARIABLE} is not a token. ${why}`);
  }
}

/** The token is not printed: output ends up in logs. */
function announcement(url: string, token: string | undefined): string {
  const address = token === undefined ? url : `${url.slice(0, -token.length)}TOKEN`;
  return `
  Dartboard serves OpenEnv environments.

  base URL   ${address}

      from openenv import GenericEnvClient
      with GenericEnvClient(base_url="${address}").sync() as env:
          print(env.reset(seed=1).observation["instruction"])

  docs/serve.md describes actions and observations. Ctrl-C stops.

`;
}
