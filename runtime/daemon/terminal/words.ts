// How numbers are said in a terminal.

import type { Interval } from '../../data/interval.ts';

export const count = (number: number): string => number.toLocaleString('en-US');

/** '2:05' */
export const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

const hundredths = (rate: number): string => (100 * rate).toFixed(0);

export const percent = (rate: number): string => `${hundredths(rate)} %`;

export const range = ({ low, high }: Pick<Interval, 'low' | 'high'>): string =>
  `${hundredths(low)}–${hundredths(high)} %`;

/** '41 of 92 · 45 % (31–60 %)' */
export const rated = (interval: Interval): string =>
  `${count(interval.successes)} of ${count(interval.trials)} · ${percent(interval.rate)} (${range(interval)})`;
