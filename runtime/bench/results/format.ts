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

export type BarVerdict = 'met' | 'met, not proven' | 'missed' | 'not measured';

/** Undefined without a bar. A figure that meets its bar is not proven to do so if the bar lies within its interval. */
export function verdictOf(
  value: number | undefined,
  bar: FigureBar | undefined,
  { low, high }: Certainty = {},
): BarVerdict | undefined {
  if (bar === undefined) return undefined;
  if (value === undefined) return 'not measured';
  const isMet = 'min' in bar ? value >= bar.min : value <= bar.max;
  if (!isMet) return 'missed';
  if (low === undefined && high === undefined) return 'met';
  // An infinite end is missing.
  const isProven = 'min' in bar ? low !== undefined && low >= bar.min : high !== undefined && high <= bar.max;
  return isProven ? 'met' : 'met, not proven';
}

const bare = (value: number, unit: FigureUnit): string =>
  unit === 'share' ? String(Number((100 * value).toFixed(1))) : formatNumber(value, 4);

/** '' for what was not measured. */
export function formatFigure(value: number | undefined, unit: FigureUnit): string {
  if (value === undefined) return '';
  return Number.isNaN(value) ? 'no number' : `${bare(value, unit)}${UNITS[unit]}`;
}

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
