// The agents that a command offers: the built-in agent with trained weights, then the configured ones. Pure.

import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { type ConfiguredAgent, describeAgent } from './configured.ts';

export interface AgentChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** `compact`, or the name of a configured agent. */
  readonly agent: string;
}

/** Offers trained weights only if the folder has some. */
export const agentChoices = (
  agents: readonly ConfiguredAgent[],
  hasWeights: boolean,
): readonly AgentChoice[] => [
  ...(hasWeights ? [COMPACT_CHOICE] : []),
  ...agents.map(agent => ({
    label: `$(hubot) ${agent.name}`,
    description: agent.isOfUser === true ? `${agent.profile}, in your settings` : agent.profile,
    detail: describeAgent(agent),
    agent: agent.name,
  })),
];

const COMPACT_CHOICE: AgentChoice = {
  label: '$(target) Trained weights',
  description: COMPACT_AGENT,
  detail: 'The built-in agent, with the weights of the latest run in this folder.',
  agent: COMPACT_AGENT,
};
