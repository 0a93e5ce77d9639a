// Cases of the metrics in `tasks/metrics/sound`.

import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import type { CaseMakers } from '../metric-case.ts';
import { pick } from './pictures-raster.ts';
import { soundFile, type Tags } from './sound-tags.ts';
import { words } from './words.ts';

const name = (random: Random): string =>
  random.int(5) === 0
    ? pick(random, ['程响', 'Ελένη', 'Пісня 7'])
    : words(random, 1 + random.int(3)).join(' ');

function tagsOf(random: Random): Tags {
  const maybe = (tag: string, texts: readonly string[]): Tags =>
    random.int(2) === 0 ? { [tag]: texts } : {};
  return {
    TIT2: [name(random)],
    TPE1: random.int(5) === 0 ? [name(random), name(random)] : [name(random)],
    ...maybe('TALB', [name(random)]),
    ...maybe('TCON', [pick(random, ['Rock', '17', '(17)', '(12)Folk', '(4)(RX)', 'Été pop', '250'])]),
    ...maybe('TRCK', [pick(random, ['3', '3/12', '07'])]),
    ...maybe('TYER', [pick(random, ['1999', '2024', '99'])]),
    ...maybe('TDAT', ['2512']),
    ...maybe('TIME', ['1830']),
    ...maybe('TDRC', [pick(random, ['2021-03', '2021-03-04T10:20:30', '2020', 'spring'])]),
    ...maybe('TCOM', [name(random)]),
    ...maybe('TPE2', [name(random)]),
  };
}

const FRAMES = [
  ['title', 'TIT2'],
  ['artist', 'TPE1'],
  ['Album', 'TALB'],
  ['composer', 'TCOM'],
  ['tracknumber', 'TRCK'],
  ['albumartist', 'TPE2'],
] as const;

function ruleOf(random: Random, value: string): Readonly<Record<string, unknown>> {
  const other = random.int(6) === 0 ? name(random) : value;
  return pick<Readonly<Record<string, unknown>>>(random, [
    { method: 'eq', ref: other },
    { method: 'eq', ref: other },
    { method: 'ne', ref: `${value}!` },
    { method: 're', ref: `^${other.slice(0, 2).replace(/[^\w]/g, '.')}` },
    { method: 're.I', ref: other.slice(1).toUpperCase().replace(/[^\w]/g, '.') },
    { method: 'ge', ref: other.slice(0, -1) },
    { method: 'lt', ref: `${other}z` },
    { method: 'str_set_eq', ref: other.split(',').reverse() },
    { method: 'str_list_eq', ref: other.split(',') },
  ]);
}

/** Genres and dates have a written form of their own. */
function otherRules(random: Random): Readonly<Record<string, unknown>> {
  return pick<Readonly<Record<string, unknown>>>(random, [
    { genre: { method: 're', ref: 'Rock|Folk|Other|pop|Remix|Unknown' } },
    { genre: { method: 'str_list_eq', ref: ['Other', 'Folk'] } },
    { date: { method: 're', ref: '^(1999|20\\d\\d)' } },
    {
      date: {
        method: 'eq',
        ref: pick(random, ['1999', '1999-12-25', '2021-03', '2020', '1999-12-25 18:30:00']),
      },
    },
    { tracknumber: { method: 'approx:1', ref: 4 } },
    { mood: { method: 'eq', ref: '' } },
    { nothing: { method: 'eq', ref: pick(random, ['', 'x']) } },
    {},
  ]);
}

function damaged(random: Random, file: TaskFile): TaskFile | null {
  return pick<TaskFile | null>(random, [
    null,
    { ...file, bytes: new Uint8Array(0) },
    { ...file, bytes: file.bytes.slice(0, 8 + random.int(40)) },
    { ...file, bytes: new TextEncoder().encode('not a sound') },
  ]);
}

export const SOUND_CASES = {
  check_mp3_meta: random => {
    const tags = tagsOf(random);
    const file = { name: `${random.int(5)}.mp3`, bytes: soundFile(tags, random) };
    const checked = FRAMES.filter(([, frame], index) =>
      index < 2 ? random.int(3) > 0 : tags[frame] && random.int(4) === 0,
    );
    const rules = Object.fromEntries(
      checked.map(([tag, frame]) => [tag, ruleOf(random, (tags[frame] ?? []).join(','))]),
    );
    return {
      result: random.int(12) === 0 ? damaged(random, file) : file,
      expected: { ...rules, ...(random.int(3) === 0 && otherRules(random)) },
    };
  },
} satisfies CaseMakers;
