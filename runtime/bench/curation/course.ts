// The course of one training: success on test worlds against the environment steps that its rollouts had taken by then. Pure.

import type { EvaluationPoint } from '../../protocol/daemon/state.ts';

export type Measurement = Pick<EvaluationPoint, 'steps' | 'successes' | 'trials'>;

/** In the order in which they were measured; the last is that of the end. */
export type Course = readonly Measurement[];

export const courseOf = (curve: readonly EvaluationPoint[]): Course =>
  curve
    .filter(({ split }) => split === 'test')
    .map(({ steps, successes, trials }) => ({ steps, successes, trials }));
