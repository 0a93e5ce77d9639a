// The course of one training: success on test worlds against the environment steps that its rollouts had taken by then. Pure.

import type { CurvePoint } from '../../protocol/daemon/state.ts';

export type Measurement = Pick<CurvePoint, 'steps' | 'successes' | 'trials'>;

/** In the order in which they were measured; the last is that of the end. */
export type Course = readonly Measurement[];

export const courseOf = (curve: readonly CurvePoint[]): Course =>
  curve
    .filter(({ split }) => split === 'test')
    .map(({ steps, successes, trials }) => ({ steps, successes, trials }));
