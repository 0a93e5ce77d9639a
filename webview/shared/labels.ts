// Labels and number formats that several panels share. Pure.

import type { TrajectoryRow, UncertainStep } from '../../runtime/protocol/daemon/trajectories.ts';

type Outcome = TrajectoryRow['outcome'];

export const OUTCOME_SIGNS: Readonly<Record<Outcome, string>> = { success: '✓', failure: '✗', broken: '!' };
export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  success: 'Success',
  failure: 'Failure',
  broken: 'Broken',
};

export const PURPOSE_LABELS: Readonly<Record<TrajectoryRow['purpose'], string>> = {
  train: 'training',
  evaluate: 'evaluation',
  collect: 'collected',
  demonstrate: 'demonstration',
};

export const PROVENANCE_LABELS: Readonly<Record<TrajectoryRow['provenance'], string>> = {
  rollout: 'by the agent',
  human: 'by a person',
  oracle: 'by a script',
  imported: 'imported',
  hindsight: 'in hindsight',
};

export const ACTION_LABELS: Readonly<Record<UncertainStep['kind'], string>> = {
  click: 'Click',
  double_click: 'Double click',
  right_click: 'Right click',
  middle_click: 'Middle click',
  triple_click: 'Triple click',
  move: 'Move pointer',
  drag: 'Drag',
  type: 'Type',
  hotkey: 'Press a key',
  scroll: 'Scroll',
  wait: 'Wait',
  finished: 'Finish',
  fail: 'Declare infeasible',
  none: 'No readable action',
};

/** 0 % and 100 % are exact: other shares are never rounded to them. */
export const formatPercent = (share: number): string =>
  share > 0 && share < 0.01 ? '< 1 %' : share > 0.99 && share < 1 ? '> 99 %' : `${Math.round(100 * share)} %`;

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const wholeNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const formatCount = (number: number): string => wholeNumber.format(number);

export const plural = (number: number, one: string): string =>
  `${formatCount(number)} ${one}${number === 1 ? '' : 's'}`;

export const formatSigned = (number: number): string =>
  `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(2)}`;

/** Small probabilities keep two digits: of two unlikely tokens, one can be a hundred times likelier. */
export const formatProbability = (probability: number): string =>
  probability >= 0.01 || probability === 0
    ? formatPercent(probability)
    : probability < 1e-6
      ? '< 0.0001 %'
      : `${significant.format(100 * probability)} %`;

/** Entropy per token; two decimals, since differences of hundredths matter. */
export const formatNats = (nats: number): string => `${nats.toFixed(2)} nats`;

/** '640 ms', '1.8 s', '2 min 5 s'. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${formatCount(Math.floor(whole / 60))} min ${whole % 60} s`;
}

/** In an unknown currency: at least two significant digits. */
export const formatCost = (cost: number): string =>
  cost === 0 || cost >= 1 ? cost.toFixed(2) : cost < 1e-6 ? '< 0.000001' : significant.format(cost);

const significant = new Intl.NumberFormat('en', {
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 2,
});

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** '840', '12.3K', '1.2M': for narrow places. */
export const formatShort = (number: number): string => compact.format(number);

/** The built-in agent. Rows without an agent are its. */
export const COMPACT = 'compact';

/** '12.3K tokens, cost 0.041'; '' without a language model. */
export function usageLabel(usage: TrajectoryRow['usage']): string {
  if (usage === undefined) return '';
  const count = usage.promptTokens + usage.completionTokens;
  // The replies of imported trajectories have no known tokens.
  if (count === 0 && usage.cost === undefined) return '';
  const tokens = `${formatShort(count)} tokens`;
  return usage.cost === undefined ? tokens : `${tokens}, cost ${formatCost(usage.cost)}`;
}

/** The versions of a trajectory. Version 0 of a language model is not a version of ours: its server has weights of its own. */
export const rowVersions = ({
  oldest,
  newest,
  usage,
}: Pick<TrajectoryRow, 'oldest' | 'newest' | 'usage'>): string =>
  newest === 0 && usage !== undefined ? '' : versionsLabel(oldest, newest);

export function versionsLabel(oldest: number | undefined, newest: number | undefined): string {
  if (oldest === undefined || newest === undefined) return '';
  return oldest === newest ? `weights ${newest}` : `weights ${oldest}–${newest}`;
}

/** 'just now', '12 min ago', '3 h ago', and a date after a day. */
export function formatAgo(moment: number, now: number): string {
  const minutes = Math.floor((now - moment) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(moment).toLocaleDateString('en', { day: 'numeric', month: 'short' });
}
