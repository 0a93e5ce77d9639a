// The settings of the agent that a run trains.

import { PROFILES } from '../agents/model/profiles/index.ts';
import { own } from '../core/own.ts';
import type { AgentSettings } from './sections/agents.ts';
import type { LearnerSettings } from './sections/learner.ts';
import type { Config } from './shape.ts';

type Agents = Pick<Config, 'agent' | 'agents'>;

/** Undefined for the built-in policy, and for a name without settings. */
const settingsOf = ({ agent, agents }: Agents): AgentSettings | undefined => own(agents, agent);

/** Undefined for the built-in policy, which observes any mode. */
export function agentMode(config: Agents): Config['mode'] | undefined {
  const settings = settingsOf(config);
  return settings && (settings.mode ?? PROFILES[settings.profile].modes[0]);
}

export const learnerOf = (config: Agents): LearnerSettings | undefined => settingsOf(config)?.learner;
