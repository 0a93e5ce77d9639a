// Labels and number formats of the panel Training. Pure.

import type { FleetRun } from '../../runtime/protocol/daemon/fleet.ts';
import type { EvaluationPoint, RunState } from '../../runtime/protocol/daemon/state.ts';
import { KIND_TITLES } from '../../runtime/protocol/desktop-kinds.ts';
import { formatCount, formatPercent, formatShort, plural } from '../shared/labels.ts';

/** Two or three significant digits. */
export function formatNumber(number: number): string {
  const size = Math.abs(number);
  if (size === 0 || size >= 100) return formatCount(number);
  if (size < 0.001) return number.toExponential(1);
  return String(Number(number.toPrecision(size >= 10 ? 3 : 2)));
}

/** '4:05', '1:02:05'. */
export function formatClock(seconds: number): string {
  const all = Math.floor(seconds);
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** '40 s', '12 min', '1 h 5 min'. */
export function formatSpan(seconds: number): string {
  const all = Math.max(0, Math.round(seconds));
  if (all < 90) return `${all} s`;
  const minutes = Math.round(all / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const formatTime = (moment: number): string =>
  new Date(moment).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });

/** The axes of the success curve: training time, steps of the agent, or optimiser steps (the version of the weights). */
export const CURVE_AXES = [
  'seconds',
  'steps',
  'version',
] as const satisfies readonly (keyof EvaluationPoint)[];
export type CurveAxis = (typeof CURVE_AXES)[number];

export const axisLabel = (axis: CurveAxis): string =>
  ({ seconds: 'Over time', steps: 'Over steps', version: 'Over optimiser steps' })[axis];

/** The label of a tick: '4:05', '12K', '310'. */
export const tickLabel = (axis: CurveAxis, position: number): string =>
  axis === 'seconds'
    ? formatClock(position)
    : position >= 10_000
      ? formatShort(position)
      : formatCount(position);

/** A position as a heading: 'After 4:05', 'After 12,000 steps', 'Version 310'. */
export const positionLabel = (axis: CurveAxis, position: number): string =>
  ({
    seconds: `After ${formatClock(position)}`,
    steps: `After ${plural(position, 'step')}`,
    version: `Version ${formatCount(position)}`,
  })[axis];

export const CURVE_SPLITS = [
  'test',
  'train',
  'unseen',
] as const satisfies readonly EvaluationPoint['split'][];

export const splitLabel = (split: EvaluationPoint['split']): string =>
  ({ test: 'Test worlds', train: 'Training worlds', unseen: 'Unseen tasks' })[split];

export const statusLabel = (status: RunState['status']): string =>
  ({
    starting: 'Starting',
    running: 'Running',
    paused: 'Paused',
    stopping: 'Stopping',
    ended: 'Ended',
    failed: 'Failed',
  })[status];

const MODES: Readonly<Record<string, string>> = {
  screenshot: 'screenshot only',
  a11y_tree: 'accessibility tree only',
  screenshot_a11y_tree: 'screenshot and accessibility tree',
};

export function runSummaryLine({
  agent,
  desktops,
  preset,
  mode,
  seed,
  tiers,
  tasks,
}: RunState['about']): string {
  const parts = [
    ...(agent === undefined ? [] : [`agent ${agent}`]),
    ...(desktops === undefined ? [] : [KIND_TITLES[desktops]]),
    `${plural(tasks, 'task')} of ${tiersLabel(tiers)}`,
    MODES[mode] ?? mode,
    `preset ${preset}`,
    `seed ${seed}`,
  ];
  return parts.join(' · ');
}

/** 'tier 2', 'tiers 1–4', 'tiers 1, 3'. */
function tiersLabel(tiers: readonly number[]): string {
  const sorted = [...tiers].sort((a, b) => a - b);
  const [first, last] = [sorted.at(0), sorted.at(-1)];
  if (first === undefined || last === undefined || first === last) return `tier ${first ?? ''}`.trim();
  const isContiguous = last - first === sorted.length - 1;
  return `tiers ${isContiguous ? `${first}–${last}` : sorted.join(', ')}`;
}

export function timeLeftLabel({ status, seconds, of }: RunState): string {
  switch (status) {
    case 'ended':
      return seconds < of ? `stopped ${formatSpan(of - seconds)} early` : '';
    case 'failed':
      return '';
    case 'paused':
      return `${formatSpan(of - seconds)} left`;
    case 'stopping':
      return '';
    default:
      return seconds < of ? `about ${formatSpan(of - seconds)} left` : 'ends now';
  }
}

/** Findings beside the success rate: a fractional mean score, and broken episodes. Usually none. */
export const extraFindings = ({ rate, score = rate, broken = 0 }: EvaluationPoint): readonly string[] => [
  ...(formatPercent(score) === formatPercent(rate) ? [] : [`mean score ${formatPercent(score)}`]),
  ...(broken === 0 ? [] : [`${formatCount(broken)} broke`]),
];

/** '12 of 20', and the extra findings. */
export const attemptsLabel = (point: EvaluationPoint): string =>
  [`${formatCount(point.successes)} of ${formatCount(point.trials)}`, ...extraFindings(point)].join(', ');

/** '70 % of 60'; a dash without evaluations. */
export const solvedLabel = ({
  successes,
  evaluations,
}: Pick<FleetRun, 'successes' | 'evaluations'>): string =>
  evaluations === 0 ? '–' : `${formatPercent(successes / evaluations)} of ${formatCount(evaluations)}`;

export const formatInterval = ({ low, high }: Pick<EvaluationPoint, 'low' | 'high'>): string =>
  `${Math.round(100 * low)}–${Math.round(100 * high)} %`;
