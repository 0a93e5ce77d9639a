// The settings of an agent by its name.

import { closestName } from '../config/closest-name.ts';
import type { Config } from '../config/config.ts';
import type { AgentSettings } from '../config/sections/agents.ts';
import { COMPACT_AGENT } from '../core/agent.ts';

/** Throws a RangeError that lists the configured agents for an unknown name, and for the built-in agent, which has no settings. */
export function settingsOfAgent(name: string, { agents }: Pick<Config, 'agents'>): AgentSettings {
  const settings = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (settings !== undefined) {
    const { endpoints, ...others } = settings;
    return { ...others, ...(endpoints !== undefined && { endpoints: [...endpoints] }) };
  }
  const names = Object.keys(agents);
  const near = closestName(name, [COMPACT_AGENT, ...names]);
  const known =
    names.length === 0
      ? `'dartboard.json' configures no agent; '${COMPACT_AGENT}' is built in.`
      : `Configured are ${names.join(', ')}; '${COMPACT_AGENT}' is built in.`;
  throw new RangeError(
    `No agent is called '${name}'. ${known}${near === undefined ? '' : ` Did you mean '${near}'?`} ${HOW_TO_ADD}`,
  );
}

const HOW_TO_ADD =
  'To add an agent, write its profile, URL and model under \'agents\' in dartboard.json, as "agents": { "mine": { "profile": "ui-tars-1.5", "url": "http://localhost:8000/v1", "model": "NAME" } }.';
