// Checks the agents of dartboard.json: whether their keys are set. It sends nothing; `dartboard endpoint check` asks the servers.

import type { AgentSettings } from '../../config/sections/agents.ts';
import { type Finding, ok, warning } from '../../core/finding.ts';
import { secretVariable } from '../../endpoints/keys.ts';
import { learnerTitle } from '../../protocol/learner-title.ts';
import { learnerPlace } from '../../run/training-agent.ts';
import type { Environment } from '../terminal/output.ts';

type Agents = Readonly<Record<string, AgentSettings>>;

export const hasAgents = ({ agents }: { readonly agents: Agents }): boolean => Object.keys(agents).length > 0;

export function agents(configured: Agents, environment: Environment): Finding {
  const name = 'Agents';
  const all = Object.entries(configured).map(([agent, settings]) => ({
    ...{ agent, profile: settings.profile, keys: keysOf(settings, environment) },
  }));
  const says = all
    .map(({ agent, profile, keys }) => `${agent} (${[profile, ...keys.map(({ text }) => text)].join(', ')})`)
    .join('; ');
  const missing = all.flatMap(({ keys }) => keys.flatMap(({ variable }) => variable ?? []));
  if (missing.length === 0) return ok(name, says);
  const variables = [...new Set(missing)].join(' and ');
  return warning(
    name,
    says,
    `Set the environment variable ${variables}, and start Dartboard again from the same shell.`,
  );
}

interface KeyState {
  readonly text: string;
  /** The variable that is not set. */
  readonly variable?: string;
}

/** Of the servers, and of the learner if there is one. */
function keysOf({ key, learner }: AgentSettings, environment: Environment): readonly KeyState[] {
  const servers = keyState(key, environment);
  if (learner === undefined) return [servers];
  const { text, ...state } = keyState(learner.key, environment);
  return [
    servers,
    {
      ...state,
      text: `learner: ${learnerTitle(learnerPlace(learner))}${learner.key ? ` with ${text}` : ''}`,
    },
  ];
}

function keyState(key: AgentSettings['key'], environment: Environment): KeyState {
  if (key === undefined) return { text: 'no key' };
  const variable = key.env ?? secretVariable(key.secret ?? '');
  if ((environment[variable] ?? '').trim() !== '') return { text: `key in ${variable}` };
  // Only VS Code can read its storage; it passes the key to the daemon that it starts.
  if (key.env === undefined) return { text: `key '${key.secret}' in the secret storage of VS Code` };
  return { text: `key missing: ${variable} is not set`, variable };
}
