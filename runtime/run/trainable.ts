// The conditions of a training that other uses of the same configuration do not have.

import type { Config } from '../config/config.ts';
import { requireLearner } from './training-agent.ts';

/** Throws a RangeError. */
export function requireTrainable(config: Config): void {
  requireLearner(config);
  requireEvaluationGuests(config);
}

/** Evaluations play beside a training, on guests of their own. */
function requireEvaluationGuests({ environments: { kind, desktops, guest }, evaluation }: Config): void {
  if (kind !== 'guest' || guest.hosts.length >= desktops + evaluation.desktops) return;
  throw new RangeError(
    `There are ${guest.hosts.length} guests for ${desktops} desktops of training and ${evaluation.desktops} of evaluations. Add to 'environments.guest.hosts', or lower 'environments.desktops' or 'evaluation.desktops'.`,
  );
}
