// What commands are given, read and checked: a wrong value is an error that names the option, the value, and what would be right.

import { type DesktopKind, KIND_DEFAULTS } from '../config/kinds.ts';
import { CURATIONS, type CurationPreset } from '../config/sections/curation.ts';
import { PRESETS, type Preset } from '../config/shape.ts';
import type { Mode } from '../core/policy.ts';
import { MODES } from '../core/policy.ts';
import type { TaskSplit, Tier } from '../environments/suite.ts';

export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new RangeError(`--port takes a whole number from 0 to 65535, not '${text}'.`);
}

const TIERS: readonly Tier[] = [1, 2, 3, 4];

/** '1,2', each once and in order. */
export function tiersOf(text: string): readonly Tier[] {
  const named = text.split(',').map(part => {
    const tier = TIERS.find(each => String(each) === part.trim());
    if (tier === undefined)
      throw new RangeError(`--tier takes 1, 2, 3 or 4, or several as 1,2; '${part}' is none of them.`);
    return tier;
  });
  return TIERS.filter(tier => named.includes(tier));
}

const LONGEST = 7 * 24 * 60;

export function minutesOf(text: string): number {
  const minutes = Number(text);
  if (text.trim() !== '' && minutes > 0 && minutes <= LONGEST) return minutes;
  throw new RangeError(
    `--minutes takes a number above 0 and up to ${LONGEST} (a week), as 5 or 0.5, not '${text}'.`,
  );
}

export function countOf(option: string, text: string, least: number, most: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new RangeError(`--${option} takes a whole number from ${least} to ${most}, not '${text}'.`);
}

export function temperatureOf(text: string): number {
  const temperature = Number(text);
  if (text.trim() !== '' && temperature > 0 && temperature <= 10) return temperature;
  throw new RangeError(`--temperature takes a number above 0 and up to 10, as 1.5, not '${text}'.`);
}

export const modeOf = (text: string): Mode => oneOf('mode', text, MODES);

const DESKTOP_KINDS = Object.keys(KIND_DEFAULTS) as readonly DesktopKind[];

export const desktopsOf = (text: string): DesktopKind => oneOf('desktops', text, DESKTOP_KINDS);

export const presetOf = (text: string): Preset => oneOf('preset', text, PRESETS);

export const curationOf = (text: string): CurationPreset => oneOf('curation', text, CURATIONS);

const SPLITS = ['test', 'train', 'unseen'] as const satisfies readonly TaskSplit[];

export const splitOf = (text: string): TaskSplit => oneOf('split', text, SPLITS);

function oneOf<T extends string>(option: string, text: string, all: readonly T[]): T {
  const found = all.find(each => each === text);
  if (found !== undefined) return found;
  throw new RangeError(`--${option} takes one of ${all.join(', ')}, not '${text}'.`);
}

export function seedOf(text: string): string {
  if (text.trim() !== '' && text.length <= 100 && !/\p{Cc}/u.test(text)) return text;
  throw new RangeError(`--seed takes a text of 1 to 100 characters, not '${text}'.`);
}
