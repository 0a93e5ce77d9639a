// One line of log.jsonl: what the training said of itself at a moment, under the names that the field uses.

import { type Measured, overall } from '../scores.ts';
import type { Progress } from '../training.ts';

export function progressRecord({ seconds, player, student }: Progress): object {
  const { last } = student;
  return {
    kind: 'progress',
    seconds: round(seconds),
    'rollout/episodes': player.episodes,
    'rollout/steps': player.steps,
    'explore/steps': player.explored,
    'explore/deeds': player.findings,
    'trainer/updates': student.updates,
    'trainer/rows': student.rows,
    'data/trainable_groups': student.trained,
    'data/filtered_groups': student.filtered,
    'data/pool_injections': student.injected,
    'data/kept_steps': round(student.keptShare),
    'off_policy/dropped': student.dropped,
    ...(last && {
      'actor/loss': round(last.loss),
      'actor/clone_loss': round(last.cloneLoss),
      'actor/grad_norm': round(last.gradientNorm),
      'actor/pg_clipfrac': round(last.clipped),
      'actor/ppo_kl': round(last.kl),
      'actor/applied': last.applied,
    }),
    'rollout/success': Object.fromEntries(
      Object.entries(player.rates).map(([task, rate]) => [task, round(rate)]),
    ),
  };
}

export function measuredRecord({ seconds, split, tasks }: Measured): object {
  const { successes, trials, rate, low, high } = overall(tasks);
  return {
    kind: 'measured',
    seconds: round(seconds),
    split,
    successes,
    trials,
    rate: round(rate),
    low: round(low),
    high: round(high),
    /** Successes and trials. */
    tasks: Object.fromEntries(tasks.map(({ task, ...tally }) => [task, [tally.successes, tally.trials]])),
  };
}

/** Four digits behind the point are more than is known. */
const round = (number: number): number => Math.round(number * 10_000) / 10_000;
