// The settings of the user: agents and Docker engines, which hold in every workspace where dartboard.json does not name others. All other
// settings decide the result of a run, so they are in the workspace alone.

import { messageOf } from '../core/errors.ts';
import { USER_SETTINGS_VARIABLE } from '../protocol/user-settings.ts';
import { type Leaf, pathText, type SettingPath, valueAt } from './leaves.ts';
import { ConfigError, parseSettings, type Settings } from './settings.ts';

const AGENTS = 'agents';
const ENGINES = 'environments.docker.hosts';

/** Undefined if the environment has none. Throws a ConfigError that names the setting. */
export function userSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Settings | undefined {
  const text = environment[USER_SETTINGS_VARIABLE]?.trim() ?? '';
  if (text === '') return undefined;
  const settings = parseSettings(parsed(text), locationOf);
  const other = settings.leaves.find(({ path }) => path[0] !== AGENTS && pathText(path) !== ENGINES);
  if (other === undefined) return settings;
  throw new ConfigError([
    `${USER_SETTINGS_VARIABLE}: '${pathText(other.path)}' is no setting of a user, who has '${AGENTS}' and '${ENGINES}' alone. Move it to dartboard.json.`,
  ]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError(
      [
        `${USER_SETTINGS_VARIABLE} is not JSON: ${messageOf(error)}. Write it in the format of dartboard.json.`,
      ],
      { cause: error },
    );
  }
}

/** Under its name in VS Code. */
const locationOf = (path: SettingPath): string =>
  `user setting '${pathText(['dartboard', ...(path[0] === AGENTS ? path : path.slice(1))])}'`;

/**
 * The settings of the user that hold beside the given ones. An agent of the workspace replaces the whole agent of that name: parts of both
 * would send the user's key to a server of the workspace. Engines hold for Docker desktops only, as in a file.
 */
export function userLeaves({ leaves }: Settings, given: unknown): readonly Leaf[] {
  const isDocker = valueAt(given, ['environments', 'kind']) === 'docker';
  const hasEngines = valueAt(given, ['environments', 'docker', 'hosts']) !== undefined;
  return leaves.filter(({ path }) =>
    path[0] === AGENTS ? valueAt(given, path.slice(0, 2)) === undefined : isDocker && !hasEngines,
  );
}
