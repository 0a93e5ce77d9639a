// Writes figures, bars and intervals with their units, and compares a figure with its bar. Pure.

import { formatNumber } from '../../run/curves/svg.ts';
import type { Certainty } from './outcome.ts';

export const UNITS = {
  share: ' %',
  times: '×',
  milliseconds: ' ms',
  microseconds: ' µs',
  seconds: ' s',
  megabytes: ' MB',
  number: '',
} as const;
export type FigureUnit = keyof typeof UNITS;

/** A limit to reach. */
export type FigureBar = { readonly min: number } | { readonly max: number };

/** Undefined without a bar. */
export function meetsBar(value: number, bar: FigureBar | undefined): boolean | undefined {
  if (bar === undefined) return undefined;
  return 'min' in bar ? value >= bar.min : value <= bar.max;
}

const bare = (value: number, unit: FigureUnit): string =>
  unit === 'share' ? String(Number((100 * value).toFixed(1))) : formatNumber(value, 4);

export const formatFigure = (value: number, unit: FigureUnit): string =>
  Number.isNaN(value) ? 'no number' : `${bare(value, unit)}${UNITS[unit]}`;

export function formatBar(bar: FigureBar | undefined, unit: FigureUnit): string {
  if (bar === undefined) return '';
  return 'min' in bar ? `≥ ${formatFigure(bar.min, unit)}` : `≤ ${formatFigure(bar.max, unit)}`;
}

/** Such as '95 %: 91 to 98 %'; an infinite end is missing. '' without an interval. */
export function formatInterval({ low, high }: Certainty, unit: FigureUnit): string {
  if (low === undefined) return high === undefined ? '' : `95 %: up to ${formatFigure(high, unit)}`;
  return high === undefined
    ? `95 %: from ${formatFigure(low, unit)}`
    : `95 %: ${bare(low, unit)} to ${formatFigure(high, unit)}`;
}

/** Such as '437 of 460; 95 %: 91 to 98 %'. */
export function formatCertainty(certainty: Certainty | undefined, unit: FigureUnit): string {
  const { successes, trials } = certainty ?? {};
  const counts =
    successes === undefined || trials === undefined
      ? ''
      : `${formatNumber(successes, 6)} of ${formatNumber(trials, 6)}`;
  return [counts, formatInterval(certainty ?? {}, unit)].filter(Boolean).join('; ');
}
