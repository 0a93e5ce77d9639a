// Which agent a training run may name.

import type { Config } from '../config/config.ts';
import { COMPACT } from '../config/sections/agents.ts';

/** Throws a RangeError for an agent without a learner. */
export function requireLearner({ agent }: Pick<Config, 'agent'>): void {
  if (agent === COMPACT) return;
  throw new RangeError(
    `'agent': training updates the weights of '${COMPACT}' only, but the agent is '${agent}'. Remove the setting to train '${COMPACT}'.`,
  );
}
