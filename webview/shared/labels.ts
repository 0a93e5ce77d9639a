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

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const formatCount = (number: number): string => whole.format(number);

export const plural = (number: number, one: string): string =>
  `${formatCount(number)} ${one}${number === 1 ? '' : 's'}`;

export const formatSigned = (number: number): string =>
  `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(2)}`;

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
