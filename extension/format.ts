// Numbers and states as text for trees, the status bar and questions. Pure.

import type { EvaluationPoint, RunState } from '../runtime/protocol/daemon/state.ts';

/** Rounded; only a share of exactly 1 is 100 %, and only exactly 0 is 0 %. */
export function percent(share: number): string {
  const rounded = Math.round(100 * share);
  return `${share > 0 && share < 1 ? Math.min(99, Math.max(1, rounded)) : rounded} %`;
}

/** '3:07', '1:02:30'. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

export const STATUS_LABELS: Readonly<Record<RunState['status'], string>> = {
  starting: 'starting',
  running: 'training',
  paused: 'paused',
  stopping: 'stopping',
  ended: 'ended',
  failed: 'failed',
};

export const successRate = ({ rate, low, high, successes, trials }: EvaluationPoint): string =>
  `${percent(rate)} of test tasks solved (${successes} of ${trials}; 95 % interval ${percent(low)} to ${percent(high)})`;
