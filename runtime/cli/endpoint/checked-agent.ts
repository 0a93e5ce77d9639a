// Which agent `dartboard endpoint check` checks: one of dartboard.json, with the options of the command line, or an address. Pure.

import { resolve } from '../../config/config.ts';
import type { AgentSettings } from '../../config/sections/agents.ts';
import { parseSettings } from '../../config/settings.ts';
import { guessProfile } from '../../protocol/profile-guess.ts';

export interface CheckOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly profile?: string;
  readonly mode?: string;
  readonly keyEnv?: string;
}

export interface NamedAgent {
  readonly name: string;
  readonly settings: AgentSettings;
}

type Agents = Readonly<Record<string, AgentSettings>>;

/** Options override the settings of the agent. Throws a RangeError if no agent is named and the choice is not clear. */
export function agentToCheck(agents: Agents, options: CheckOptions): NamedAgent {
  const names = Object.keys(agents);
  const name = options.agent ?? names[0];
  if (name === undefined)
    throw new RangeError(
      'dartboard.json has no agent to check. Give the base URL of a server, such as http://localhost:8000/v1, or add an agent to the file.',
    );
  if (options.agent === undefined && names.length > 1)
    throw new RangeError(
      `dartboard.json has ${names.length} agents: ${names.join(', ')}. Name one with --agent.`,
    );
  const settings = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (settings === undefined) {
    const known = names.length === 0 ? 'It has none' : `Its agents are ${names.join(', ')}`;
    throw new RangeError(`dartboard.json has no agent '${name}'. ${known}. Name one of them, or give a URL.`);
  }
  const { endpoints } = settings;
  // A server's own name of the model would precede the one of the command line.
  const renamed =
    options.model === undefined ? undefined : endpoints?.map(({ model: _, ...endpoint }) => endpoint);
  return validated(name, {
    ...settings,
    ...given(options),
    ...(renamed !== undefined && { endpoints: renamed }),
  });
}

/** The agent at an address. Without a profile, the name of the model decides. */
export const agentAtUrl = (url: string, model: string, options: CheckOptions): NamedAgent =>
  validated('endpoint', { url, profile: guessProfile(model), ...given(options), model });

function given({ model, profile, mode, keyEnv }: CheckOptions): object {
  return {
    ...(model !== undefined && { model }),
    ...(profile !== undefined && { profile }),
    ...(mode !== undefined && { mode }),
    ...(keyEnv !== undefined && { key: { env: keyEnv } }),
  };
}

/** The options, by the setting that they override. */
const PLACES: Readonly<Record<string, string>> = {
  url: 'the URL',
  model: '--model',
  profile: '--profile',
  mode: '--mode',
  key: '--key-env',
};

/** Throws a ConfigError. */
function validated(name: string, settings: object): NamedAgent {
  const given = parseSettings(
    { agents: { [name]: settings } },
    path => PLACES[String(path[2])] ?? `the agent '${name}'`,
  );
  const agent = resolve(given).config.agents[name];
  if (agent === undefined)
    throw new RangeError(`The agent '${name}' has no settings. Add them to dartboard.json.`);
  return { name, settings: agent };
}
