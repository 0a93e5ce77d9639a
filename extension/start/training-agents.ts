// The agents that a training offers: the built-in policy, and the agents of dartboard.json with a learner. The others show what they lack.
// Pure.

import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { type ConfiguredAgent, describeAgent } from '../agents/configured-agents.ts';
import type { StartChoice } from './start-choice.ts';

export const trainingAgents = (agents: readonly ConfiguredAgent[]): readonly StartChoice[] => [
  {
    label: `$(target) ${COMPACT_AGENT}`,
    detail: 'The built-in policy. Trains on this machine.',
    answer: { agent: COMPACT_AGENT },
  },
  ...agents.map(agent =>
    agent.learner === undefined
      ? {
          label: `$(circle-slash) ${agent.name}`,
          detail: `${capitalized(lack(agent))}.`,
          answer: {},
          opensAgent: agent.name,
        }
      : {
          label: `$(hubot) ${agent.name}`,
          detail: `${describeAgent(agent)}. Trained by ${agent.learner.title}.`,
          answer: { agent: agent.name },
        },
  ),
];

/** Why an agent without a learner cannot be trained, and the setting that is missing. */
export const lack = ({ name }: Pick<ConfiguredAgent, 'name'>): string =>
  `has no learner: add 'learner' to agents.${name}`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
