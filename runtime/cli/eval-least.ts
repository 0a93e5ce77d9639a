// `--at-least PERCENT` of `dartboard eval`: the command fails if the success rate is lower. Pure.

import type { SuccessTally } from '../data/interval.ts';
import type { EvaluationEnd } from '../protocol/task-verdict.ts';
import { count, percent } from '../run/number-format.ts';

/** 92.9 * 1000 is not exactly 92,900. */
const ROUNDING = 1e-9;

/**
 * Throws unless at least `least` percent of the judged episodes succeeded. An evaluation that was stopped, or that judged no episode, has
 * no rate that could be compared.
 */
export function requireSuccess(
  least: number | undefined,
  { successes, trials }: SuccessTally,
  { status }: Pick<EvaluationEnd, 'status'>,
): void {
  if (least === undefined) return;
  if (trials === 0)
    throw new Error(
      `No episode was judged, so --at-least ${least} is not met. Correct what broke the episodes, then evaluate again.`,
    );
  const played = `${count(successes)} of ${count(trials)} judged episodes succeeded`;
  if (status !== 'ended')
    throw new Error(
      `The evaluation was stopped early, so --at-least ${least} is not met (${played}). Evaluate again to the end.`,
    );
  if (100 * successes >= least * trials - ROUNDING * trials) return;
  throw new Error(
    `${played} (${percent(successes / trials)}), which is below --at-least ${least}. Train longer, or lower the bar.`,
  );
}
