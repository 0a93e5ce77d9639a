// The number format of a comparison, in the terminal and in the report. Pure.

import type { RateDifference } from '../data/interval.ts';
import { formatNumber } from '../run/curves/svg.ts';

/** '85.1 %' */
export const formatRate = (rate: number): string => (Number.isFinite(rate) ? `${inHundred(rate)} %` : '–');

/** '79.2 to 89.5' */
export const formatReach = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  `${inHundred(low)} to ${inHundred(high)}`;

/** '85.1 % (79.2 to 89.5)' */
export const formatInterval = (interval: {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}): string => `${formatRate(interval.rate)} (${formatReach(interval)})`;

/** In percentage points: '+12.3', '−4.0', '0'. */
export function formatPoints(value: number): string {
  const rounded = Math.abs(100 * value).toFixed(1);
  if (rounded === '0.0') return '0';
  return `${value < 0 ? '−' : '+'}${rounded}`;
}

export const formatDifference = ({ value, low, high }: RateDifference): string =>
  `${formatPoints(value)} (${formatPoints(low)} to ${formatPoints(high)})`;

/** '0.013', '< 0.001' */
export function formatP(p: number): string {
  if (p < 0.001) return '< 0.001';
  return p < 0.1 ? p.toFixed(3) : p.toFixed(2);
}

export const formatCount = (value: number): string => formatNumber(Math.round(value), 15);

const inHundred = (rate: number): string => (100 * rate).toFixed(1);
