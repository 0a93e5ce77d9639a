// Which agents a training run may name.

import type { Config } from '../config/config.ts';
import type { LearnerSettings } from '../config/sections/learner.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import type { RunLearnerState } from '../protocol/daemon/model-run.ts';
import { learnerTitle } from '../protocol/learner-title.ts';
import { settingsOfAgent } from './named-agent.ts';

/** Throws a RangeError for an unknown agent, and for one without a learner. */
export function requireLearner(config: Pick<Config, 'agent' | 'agents'>): void {
  const { agent } = config;
  if (agent === COMPACT_AGENT || settingsOfAgent(agent, config).learner !== undefined) return;
  throw new RangeError(
    `The agent '${agent}' cannot be trained: it has no learner. Add 'learner' to 'agents.${agent}', such as { "kind": "tinker", "url": "http://localhost:8000", "base": "NAME" }, or train one of: ${trainable(config)}.`,
  );
}

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
