// The settings of the user that programs of Dartboard receive, as environment variables: agents and Docker engines. dartboard.json overrides
// them. Pure.

import { USER_SETTINGS_VARIABLE } from '../../runtime/protocol/user-settings.ts';
import { type ConfigFile, objectIn } from '../config-file.ts';

export interface UserSettings {
  /** As in dartboard.json. Programs check them. */
  readonly agents: ConfigFile;
  /** As `environments.docker.hosts` in dartboard.json. */
  readonly engines: readonly ConfigFile[];
}

/** From the values of `dartboard.agents` and `dartboard.docker.hosts`. */
export const userSettingsOf = (agents: unknown, engines: unknown): UserSettings => ({
  agents: objectIn(agents),
  engines: Array.isArray(engines) ? engines.map(objectIn) : [],
});

export type Variables = Readonly<Record<string, string>>;

/** None if the user has set nothing: then the programs use those of VS Code's own environment. */
export function variablesOf({ agents, engines }: UserSettings): Variables {
  const settings = {
    ...(Object.keys(agents).length > 0 && { agents }),
    ...(engines.length > 0 && { environments: { docker: { hosts: engines } } }),
  };
  if (Object.keys(settings).length === 0) return {};
  return { [USER_SETTINGS_VARIABLE]: JSON.stringify(settings), ...engineVariables(engines) };
}

/**
 * The engine for what uses a single one: the offer of Docker desktops, `docker build`, and the address `local`. It is the first, unless the
 * engine of this machine is among them.
 */
function engineVariables(engines: readonly ConfigFile[]): Variables {
  const [first] = engines;
  if (first === undefined || engines.some(({ address }) => address === 'local')) return {};
  const folder = textOf(first['certificates']);
  return {
    DOCKER_HOST: textOf(first['address']),
    // Those of VS Code's environment belong to another engine.
    DOCKER_CERT_PATH: folder,
    DOCKER_TLS_VERIFY: folder === '' ? '' : '1',
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The same settings with other names of keys. */
export const withKeyNames = (
  { agents, engines }: UserSettings,
  nameOf: (secret: string) => string,
): UserSettings => ({
  engines,
  agents: mapValues(agents, entry => {
    const renamed = renamedKey(objectIn(entry), nameOf);
    const { learner } = renamed;
    return learner === undefined ? renamed : { ...renamed, learner: renamedKey(objectIn(learner), nameOf) };
  }),
});

function renamedKey(entry: ConfigFile, nameOf: (secret: string) => string): ConfigFile {
  const { secret } = objectIn(entry['key']);
  return typeof secret === 'string' ? { ...entry, key: { secret: nameOf(secret) } } : entry;
}

const mapValues = (object: ConfigFile, map: (value: unknown) => unknown): ConfigFile =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
