// How the numbers of a run are written on the page. Pure.

import type { CurvePoint, RunState } from '../../runtime/protocol/daemon/state.ts';
import { counted, percent, plural } from '../shared/words.ts';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A number of any size in three figures or so. */
export function measured(number: number): string {
  const size = Math.abs(number);
  if (size === 0 || size >= 100) return counted(number);
  if (size < 0.001) return number.toExponential(1);
  return String(Number(number.toPrecision(size >= 10 ? 3 : 2)));
}

/** '4:05', '1:02:05'. */
export function clock(seconds: number): string {
  const all = Math.floor(seconds);
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** '40 s', '12 min', '1 h 5 min': as exactly as anybody wants to know. */
export function span(seconds: number): string {
  const all = Math.max(0, Math.round(seconds));
  if (all < 90) return `${all} s`;
  const minutes = Math.round(all / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const timeOfDay = (moment: number): string =>
  new Date(moment).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });

/** What the success curve can be read over: how long it trained, how much was played to train on, or how often weights were published. */
export const AXES = ['seconds', 'steps', 'version'] as const satisfies readonly (keyof CurvePoint)[];
export type Axis = (typeof AXES)[number];

export const axisInWords = (axis: Axis): string =>
  ({ seconds: 'Over time', steps: 'Over steps', version: 'Over versions' })[axis];

/** A place on an axis as it stands below it: '4:05', '12k', '310'. */
export const placeInWords = (axis: Axis, place: number): string =>
  axis === 'seconds' ? clock(place) : place >= 10_000 ? compact.format(place) : counted(place);

/** The same in a sentence: 'After 4:05', 'After 12,000 steps', 'Version 310'. */
export const momentInWords = (axis: Axis, place: number): string =>
  ({
    seconds: `After ${clock(place)}`,
    steps: `After ${plural(place, 'step')}`,
    version: `Version ${counted(place)}`,
  })[axis];

export const SPLITS = ['test', 'train', 'unseen'] as const satisfies readonly CurvePoint['split'][];

export const splitInWords = (split: CurvePoint['split']): string =>
  ({ test: 'Test worlds', train: 'Training worlds', unseen: 'Unseen tasks' })[split];

export const statusInWords = (status: RunState['status']): string =>
  ({
    starting: 'Starting',
    running: 'Running',
    paused: 'Paused',
    stopping: 'Stopping',
    ended: 'Ended',
    failed: 'Failed',
  })[status];

const MODES: Readonly<Record<string, string>> = {
  screenshot: 'pixels alone',
  a11y_tree: 'elements alone',
  screenshot_a11y_tree: 'pixels and elements',
};

export function aboutInWords({ desktops, preset, mode, seed, tiers, tasks }: RunState['about']): string {
  const parts = [
    ...(desktops === 'docker' ? ['Docker desktops'] : []),
    `${plural(tasks, 'task')} of ${tiersInWords(tiers)}`,
    MODES[mode] ?? mode,
    `preset ${preset}`,
    `seed ${seed}`,
  ];
  return parts.join(' · ');
}

/** 'tier 2', 'tiers 1–4', 'tiers 1, 3'. */
function tiersInWords(tiers: readonly number[]): string {
  const sorted = [...tiers].sort((a, b) => a - b);
  const [first, last] = [sorted.at(0), sorted.at(-1)];
  if (first === undefined || last === undefined || first === last) return `tier ${first ?? ''}`.trim();
  const isUnbroken = last - first === sorted.length - 1;
  return `tiers ${isUnbroken ? `${first}–${last}` : sorted.join(', ')}`;
}

export function leftInWords({ status, seconds, of }: RunState): string {
  switch (status) {
    case 'ended':
      return seconds < of ? `${span(of - seconds)} were left` : '';
    case 'failed':
      return '';
    case 'paused':
      return `${span(of - seconds)} left once it is continued`;
    case 'stopping':
      return '';
    default:
      return seconds < of ? `about ${span(of - seconds)} left` : 'about to end';
  }
}

/** What the rate alone does not say: scores that are a part of 1, and episodes that broke. Of most measurements nothing. */
export const besides = ({ rate, score = rate, broken = 0 }: CurvePoint): readonly string[] => [
  ...(percent(score) === percent(rate) ? [] : [`mean score ${percent(score)}`]),
  ...(broken === 0 ? [] : [`${counted(broken)} broke`]),
];

/** '12 of 20', and what is to be said besides. */
export const attempts = (point: CurvePoint): string =>
  [`${counted(point.successes)} of ${counted(point.trials)}`, ...besides(point)].join(', ');

export const intervalOf = ({ low, high }: Pick<CurvePoint, 'low' | 'high'>): string =>
  `${Math.round(100 * low)}–${Math.round(100 * high)} %`;
