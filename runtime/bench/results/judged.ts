// Whether a figure reaches its bar, and how figure and bar are written. Pure.

import type { Bar, FigureUnit } from './asked/asked.ts';
import { plain } from './axis.ts';
import type { Certainty } from './outcome.ts';

/** Undefined where there is no number to reach. */
export function reaches(value: number, bar: Bar | undefined): boolean | undefined {
  if (bar === undefined || 'text' in bar) return undefined;
  return 'least' in bar ? value >= bar.least : value <= bar.most;
}

const SIGNS: Readonly<Record<FigureUnit, string>> = {
  share: ' %',
  times: '×',
  milliseconds: ' ms',
  microseconds: ' µs',
  seconds: ' s',
  megabytes: ' MB',
  number: '',
};

export const written = (value: number, unit: FigureUnit): string =>
  unit === 'share' ? `${fixedPoint(100 * value)} %` : `${plain(value, 4)}${SIGNS[unit]}`;

/** A tenth of a percent, and no more. */
const fixedPoint = (percent: number): string => String(Number(percent.toFixed(1)));

export function writtenBar(bar: Bar | undefined, unit: FigureUnit): string {
  if (bar === undefined) return '';
  if ('text' in bar) return bar.text;
  return 'least' in bar ? `≥ ${written(bar.least, unit)}` : `≤ ${written(bar.most, unit)}`;
}

/** Such as "437 of 460, 91 to 98 %". */
export function writtenCertainty(
  { successes, trials, low, high }: Certainty | undefined = {},
  unit: FigureUnit,
): string {
  const parts: string[] = [];
  if (successes !== undefined && trials !== undefined)
    parts.push(`${plain(successes, 6)} of ${plain(trials, 6)}`);
  if (low !== undefined && high !== undefined) {
    const [from, to] = [written(low, unit), written(high, unit)];
    const sign = SIGNS[unit];
    parts.push(
      `95 %: ${sign !== '' && from.endsWith(sign) ? from.slice(0, from.length - sign.length) : from} to ${to}`,
    );
  }
  return parts.join('; ');
}
