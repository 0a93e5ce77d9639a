// Random YAML files.

import type { Random } from '../../../core/rng.ts';
import { oneIn, pick, shuffled } from './texts-choice.ts';
import { word } from './words.ts';

/** A value in YAML's block style, with plain scalars where they have the same meaning. */
export function yamlOf(random: Random, value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0)
    return value.map(each => `\n${indent}- ${yamlOf(random, each, `${indent}  `).trimStart()}`).join('');
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
    return Object.entries(value)
      .map(([key, each]) => `\n${indent}${JSON.stringify(key)}: ${yamlOf(random, each, `${indent}  `)}`)
      .join('');
  return typeof value === 'string' &&
    /^[A-Za-z]{3,}( [A-Za-z]+)*$/.test(value) &&
    !/^(true|false|null|yes|off)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

/** Scalars that YAML 1.1, YAML 1.2 and PyYAML read differently, each with what PyYAML reads. */
const YAML_SCALARS: readonly (readonly [scalar: string, value: unknown])[] = [
  ['yes', true],
  ['No', false],
  ['on', true],
  ['OFF', false],
  ['true', true],
  ['~', null],
  ['null', null],
  ['012', 10],
  ['0x1F', 31],
  ['0b11', 3],
  ['1_000', 1000],
  ['1:30', 90],
  ['+3', 3],
  ['1.5', 1.5],
  ['1e3', '1e3'],
  ['1.5e+3', 1500],
  ['.5', 0.5],
  ['y', 'y'],
  ['n', 'n'],
  ['2024-01-02', '2024-01-02'],
  ['08', '08'],
  ['0o7', '0o7'],
  ['1.2.3', '1.2.3'],
  ['"yes"', 'yes'],
  ['!!str 12', '12'],
  ['-0', 0],
  ['1:30.5', 90.5],
  ["'it''s'", "it's"],
  ['a # b', 'a'],
  ['a#b', 'a#b'],
];

/** A file with such scalars, an anchor, a merge, comments and texts of several lines, and a rule for it. */
export function yamlSettings(random: Random): { readonly text: string; readonly rule: unknown } {
  const scalars = shuffled(random, YAML_SCALARS).slice(0, 5);
  const name = word(random);
  const text = [
    '# Settings',
    ...scalars.map(([scalar], index) => `s${index}: ${scalar}  # scalar`),
    `base: &base {name: ${name}, count: 3}`,
    'author:',
    '  <<: *base',
    `  email  : "${name}@example.org"`,
    'text: |',
    '  two',
    '  lines',
    'folded: >-',
    '  one',
    '  line',
    'empty:',
  ].join('\n');
  const places: readonly (readonly [key: readonly string[], value: unknown])[] = [
    ...scalars.map(([, value], index) => [[`s${index}`], value] as const),
    [['author', 'count'], 3],
    [['author', 'email'], `${name}@example.org`],
    [['text'], 'two\nlines\n'],
    [['folded'], 'one line'],
    [['empty'], null],
  ];
  const [key, value] = pick(random, places);
  const [, other] = pick(random, places);
  const ref = oneIn(random, 4) ? other : value;
  return { text, rule: { key, method: pick(random, ['eq', 'eq', 'eq', 'ne']), ref } };
}
