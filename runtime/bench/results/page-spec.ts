// The parts of a section of docs/results.md: its figures with their bars, and its pictures.

import type { ChartAxis } from '../../run/curves/line-chart.ts';
import type { FigureBar, FigureUnit } from './format.ts';

export interface FigureSpec {
  readonly name: string;
  readonly meaning: string;
  readonly unit: FigureUnit;
  readonly bar?: FigureBar | undefined;
}

/** Drawn from the series named 'series/curve'; a bar chart if it has no `x`. */
export interface PictureSpec {
  readonly series: string;
  readonly title: string;
  readonly subtitle: string;
  readonly x?: ChartAxis | undefined;
  readonly y: ChartAxis;
  /** The file name, if several pictures share a series. */
  readonly file?: string;
  /** Draws these curves only, and nothing if one is missing. */
  readonly only?: readonly string[];
}

export interface BenchPage {
  /** The file name of the outcome. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The arguments of `npm run bench --`; the name if absent. */
  readonly command?: string;
  readonly figures: readonly FigureSpec[];
  readonly pictures?: readonly PictureSpec[];
}

export const figure =
  (unit: FigureUnit) =>
  (name: string, meaning: string, bar?: FigureBar): FigureSpec => ({ name, meaning, unit, bar });
export const [share, times, number] = [figure('share'), figure('times'), figure('number')];
export const [milliseconds, megabytes] = [figure('milliseconds'), figure('megabytes')];
export const min = (value: number): FigureBar => ({ min: value });
export const max = (value: number): FigureBar => ({ max: value });

export const picture = (
  [series, title, subtitle]: readonly [string, string, string],
  y: ChartAxis,
  x?: ChartAxis,
): PictureSpec => ({ series, title, subtitle, y, x });
export const TIME: ChartAxis = { label: 'time trained (minutes : seconds)', unit: 'seconds' };
export const EPOCH: ChartAxis = { label: 'epoch', unit: 'number' };
export const STEPS: ChartAxis = { label: 'environment steps', unit: 'number' };
export const SOLVED: ChartAxis = { label: 'tasks solved', unit: 'share' };
export const counted = (label: string): ChartAxis => ({ label, unit: 'number' });
export const shareOf = (label: string): ChartAxis => ({ label, unit: 'share' });
