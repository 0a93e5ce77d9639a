// Which agents a training run may name.

import { PROFILES } from '../agents/model/profiles/index.ts';
import type { Config } from '../config/config.ts';
import type { AgentSettings } from '../config/sections/agents.ts';
import type { LearnerSettings } from '../config/sections/learner.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import type { RunLearnerState } from '../protocol/daemon/model-run.ts';
import { learnerTitle } from '../protocol/learner-title.ts';
import { settingsOfAgent } from './named-agent.ts';

/** Throws a RangeError for an unknown agent, one without a learner, and one whose sampling makes wrong gradients. */
export function requireLearner(config: Pick<Config, 'agent' | 'agents' | 'rollout'>): void {
  const { agent } = config;
  if (agent === COMPACT_AGENT) return;
  const settings = settingsOfAgent(agent, config);
  if (settings.learner === undefined)
    throw new RangeError(
      `The agent '${agent}' cannot be trained: it has no learner. Add 'learner' to 'agents.${agent}', such as { "kind": "tinker", "url": "http://localhost:8000", "base": "NAME" }, or train one of: ${trainable(config)}.`,
    );
  requireWholePolicy(agent, settings, config.rollout.temperature);
}

/** Gradients need samples of the policy itself, whose log-probabilities the server reports. */
function requireWholePolicy(
  agent: string,
  { profile, sampling }: Pick<AgentSettings, 'profile' | 'sampling'>,
  temperature: number,
): void {
  const used = { ...PROFILES[profile].sampling, ...sampling };
  const path = `agents.${agent}.sampling`;
  const product = used.temperature * temperature;
  if (Math.abs(product - 1) > ROUNDING)
    throw new RangeError(
      `The agent '${agent}' cannot be trained at the temperature ${product}: '${path}.temperature' is ${used.temperature}, and 'rollout.temperature' is ${temperature}. Set both to 1. For evaluations with other sampling, add an agent without a learner.`,
    );
  const limits: readonly (readonly [name: string, isWhole: boolean, value: number, whole: number])[] = [
    ['topP', used.topP === 1, used.topP, 1],
    ['topK', used.topK <= 0, used.topK, -1],
  ];
  for (const [name, isWhole, value, whole] of limits)
    if (!isWhole)
      throw new RangeError(
        `The agent '${agent}' cannot be trained on a part of its distribution: '${path}.${name}' is ${value}. Set it to ${whole}. For evaluations with other sampling, add an agent without a learner.`,
      );
}

/** Of a product of two decimal numbers. */
const ROUNDING = 1e-9;

/** "compact (built in), qwen (Tinker server at http://localhost:8000)" */
const trainable = ({ agents }: Pick<Config, 'agents'>): string =>
  [
    `${COMPACT_AGENT} (built in)`,
    ...Object.entries(agents).flatMap(([name, { learner }]) =>
      learner === undefined ? [] : [`${name} (${learnerTitle(learnerPlace(learner))})`],
    ),
  ].join(', ');

export const learnerPlace = ({
  kind,
  url,
  folder,
  weights,
}: LearnerSettings): Pick<RunLearnerState, 'kind' | 'place'> => ({
  kind,
  place: url ?? folder ?? weights ?? '',
});
