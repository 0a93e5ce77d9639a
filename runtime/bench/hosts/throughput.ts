// The speed of a run over several hosts, and the processor time that a step costs beside the work itself.

import { sum } from '../../core/sum.ts';
import type { RunState } from '../../protocol/daemon/state.ts';

/** Totals since the start of the run. */
export interface SpeedSample {
  /** Seconds on any clock. */
  readonly at: number;
  readonly steps: number;
  /** Resets and actions that desktops performed. An agent ends an episode without the desktop. */
  readonly calls: number;
  /** Processor seconds of all processes, and of desktops, decisions and training in them. */
  readonly all: number;
  readonly work: number;
}

export interface MeasuredSpeed {
  readonly stepsPerS: number;
  readonly callsPerS: number;
  /** Processor time per step: of everything, and of everything but desktops, decisions and training. */
  readonly allMsPerStep: number;
  readonly ringMsPerStep: number;
}

export function speedSample(
  { rollout, trainer: { metrics } }: Pick<RunState, 'rollout' | 'trainer'>,
  { at, calls, all }: Pick<SpeedSample, 'at' | 'calls' | 'all'>,
): SpeedSample {
  const work = ['desktops', 'deciding', 'training'].map(name => metrics[`processor/${name}`] ?? 0);
  return { at, steps: rollout.steps, calls, all, work: sum(work) };
}

export function speedBetween(before: SpeedSample, after: SpeedSample): MeasuredSpeed {
  const seconds = after.at - before.at;
  const steps = after.steps - before.steps;
  const all = after.all - before.all;
  const perStep = (processorSeconds: number) => (1000 * processorSeconds) / steps;
  return {
    stepsPerS: steps / seconds,
    callsPerS: (after.calls - before.calls) / seconds,
    allMsPerStep: perStep(all),
    ringMsPerStep: perStep(all - (after.work - before.work)),
  };
}
