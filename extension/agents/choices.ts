// The agents that a command offers: the built-in one, then the configured ones. Pure.

import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { type ConfiguredAgent, describeAgent } from './configured-agents.ts';

export interface AgentChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** `compact`, or the name of a configured agent. */
  readonly agent: string;
}

export const agentChoices = (agents: readonly ConfiguredAgent[]): readonly AgentChoice[] =>
  agents.map(agent => ({
    label: `$(hubot) ${agent.name}`,
    description: agent.isOfUser === true ? `${agent.profile}, in your settings` : agent.profile,
    detail: describeAgent(agent),
    agent: agent.name,
  }));

/** `hasWeights`: whether a run of the folder has weights. */
export const compactChoice = (hasWeights: boolean): AgentChoice => ({
  label: hasWeights ? '$(target) Trained weights' : '$(target) Base weights',
  description: COMPACT_AGENT,
  detail: hasWeights
    ? 'The built-in agent, with the weights of the latest run in this folder.'
    : 'The built-in agent as it comes with Dartboard, trained on the pocket desktop.',
  agent: COMPACT_AGENT,
});
