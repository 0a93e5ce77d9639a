// The metrics of a run's state, by the names of the field. Pure.

import type { SpentState } from '../../protocol/daemon/model-run.ts';
import type { EvaluationPoint, RunState } from '../../protocol/daemon/state.ts';

export type Scalars = Readonly<Record<string, number>>;

export function metricsOf({ environments, rollout, data, trainer, spent }: RunState): Scalars {
  const { queues, books } = data;
  return {
    // First: events of the host count since its own start, and the state counts the whole run.
    ...trainer.metrics,
    'env/occupancy': environments.occupancy,
    'env/broken': environments.broken,
    'rollout/idle_ratio': 1 - rollout.utilisation,
    'rollout/episodes': rollout.episodes,
    'rollout/steps': rollout.steps,
    'rollout/episodes_per_second': rollout.episodesPerSecond,
    'rollout/steps_per_second': rollout.stepsPerSecond,
    ...(spent !== undefined && costsOf(spent)),
    ...prefixed('queue/depth', queues),
    ...prefixed('data', books),
    'trainer/version': trainer.version,
    'trainer/updates_per_second': trainer.updatesPerSecond,
    'trainer/idle_ratio': 1 - trainer.utilisation,
  };
}

/** The cost so far, under the names that `dartboard compare` reads. */
const costsOf = ({ promptTokens, completionTokens, hardwareSeconds, money }: SpentState): Scalars => ({
  'cost/tokens': promptTokens + completionTokens,
  ...(hardwareSeconds !== undefined && { 'cost/hardware_seconds': hardwareSeconds }),
  ...(money !== undefined && { 'cost/money': money }),
});

/** An evaluation, with its confidence interval. */
export const successOf = ({ split, rate, low, high, score }: EvaluationPoint): Scalars => ({
  [`success/${split}`]: rate,
  [`success/${split}_low`]: low,
  [`success/${split}_high`]: high,
  ...(score !== undefined && { [`score/${split}`]: score }),
});

const prefixed = (prefix: string, numbers: Scalars): Scalars =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [`${prefix}/${name}`, value]));
