// Which agent a training run may name.

import type { Config } from '../config/config.ts';
import { COMPACT_AGENT } from '../core/agent.ts';

/** Throws a RangeError for an agent without a learner. */
export function requireLearner({ agent }: Pick<Config, 'agent'>): void {
  if (agent === COMPACT_AGENT) return;
  throw new RangeError(
    `'agent': training updates the weights of '${COMPACT_AGENT}' only, but the agent is '${agent}'. Remove the setting to train '${COMPACT_AGENT}'.`,
  );
}
