// Formats numbers for a terminal.

import type { Interval } from '../data/interval.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import { KIND_TITLES } from '../protocol/desktop-kinds.ts';

export const count = (number: number): string => number.toLocaleString('en-US');

/** '1 step', '1,200 steps' */
export const plural = (number: number, one: string, several = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : several}`;

/** '7.4', '46', '120': below 100 with a decimal. */
export const decimal = (number: number): string =>
  number >= 100 || Number.isInteger(number) ? count(Math.round(number)) : number.toFixed(1);

/** In an unknown currency. Two significant digits below 1, because a step costs a fraction of a cent. */
export const money = (value: number): string =>
  value >= 1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** '840', '12.3K', '1.2M' */
export const short = (number: number): string => compact.format(number);

/** '14.2 s', '12 min', '20.7 h' */
export function duration(seconds: number): string {
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`;
  return seconds < 3570 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** '48 MB' */
export function bytes(number: number): string {
  const power = number < 1e6 ? 0 : number < 1e9 ? 1 : 2;
  return `${decimal(number / 10 ** (3 * (power + 1)))} ${['kB', 'MB', 'GB'][power]}`;
}

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

/** The properties of a run, the most distinctive first. */
export const aboutRun = ({
  agent,
  desktops,
  tiers,
  tasks,
  mode,
  preset,
}: RunState['about']): readonly string[] => [
  ...(agent === undefined ? [] : [`agent ${agent}`]),
  ...(desktops === undefined ? [] : [KIND_TITLES[desktops]]),
  tiersOf(tiers),
  plural(tasks, 'task'),
  mode,
  preset,
];

/** 'tiers 1–4' */
function tiersOf(tiers: readonly number[]): string {
  const [first = 0, last = 0] = [tiers[0], tiers.at(-1)];
  const isRow = tiers.length > 2 && last - first === tiers.length - 1;
  return `${tiers.length > 1 ? 'tiers' : 'tier'} ${isRow ? `${first}–${last}` : tiers.join(', ')}`;
}

/** A text of another program without line breaks and control characters. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
