// Which agents a training run may name.

import type { Config } from '../config/config.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import { settingsOfAgent } from './named-agent.ts';

/** Throws a RangeError for an unknown agent, and for one without a learner. */
export function requireLearner(config: Pick<Config, 'agent' | 'agents'>): void {
  const { agent } = config;
  if (agent === COMPACT_AGENT || settingsOfAgent(agent, config).learner !== undefined) return;
  throw new RangeError(
    `The agent '${agent}' cannot be trained: it has no learner. Add 'learner' to 'agents.${agent}', such as { "kind": "tinker", "url": "http://localhost:8000", "base": "NAME" }, or set 'agent' to '${COMPACT_AGENT}'.`,
  );
}
