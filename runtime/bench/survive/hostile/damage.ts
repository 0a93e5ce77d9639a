// Damages bytes and JSON values in the ways in which attackers do: wrong types, huge numbers, lengths that lie, deep nesting, names with
// a meaning, and cuts. Pure functions of a random generator.

import type { Random } from '../../../core/rng.ts';

/** Characters at which a parser of code loses its place. */
export const CODE_MARKS: readonly string[] = ['(', ')', "'", '"', '\\', '\n'];

export const chosen = <T>(all: readonly T[], random: Random): T => {
  const found = all[random.int(all.length)];
  if (found === undefined) throw new RangeError('Cannot choose from an empty list. Give at least one value.');
  return found;
};

/** True in one of `n` cases. */
export const oneIn = (n: number, random: Random): boolean => random.int(n) === 0;

const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
const MAX_CHANGES = 4;

/** One to four changes. */
export function damagedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let damaged = bytes;
  for (let change = 0; change <= random.int(MAX_CHANGES); change += 1) damaged = changed(damaged, random);
  return damaged;
}

type ByteChange = (bytes: Uint8Array, at: number, random: Random) => Uint8Array;

const BYTE_CHANGES: readonly ByteChange[] = [
  // One byte.
  (bytes, at, random) => replacedAt(bytes, at, Uint8Array.of(random.int(256))),
  (bytes, at, random) => replacedAt(bytes, at, Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.int(8)))),
  // A number of two or four bytes, in either order.
  (bytes, at, random) => replacedAt(bytes, at, numberBytes(chosen(EDGES, random), random)),
  // Cut off, or a part missing.
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at, random) => spliced(bytes, at, random.int(64) + 1, new Uint8Array()),
  // More bytes than there should be.
  (bytes, at, random) => spliced(bytes, at, 0, new Uint8Array(random.int(300)).fill(random.int(256))),
  (bytes, at, random) => spliced(bytes, at, 0, bytes.subarray(at, at + random.int(400))),
  (bytes, at, random) => spliced(bytes, bytes.length, 0, bytes.subarray(at, at + random.int(2000))),
];

const changed = (bytes: Uint8Array, random: Random): Uint8Array =>
  chosen(BYTE_CHANGES, random)(bytes, random.int(bytes.length + 1), random);

function numberBytes(value: number, random: Random): Uint8Array {
  const bytes = new Uint8Array(oneIn(2, random) ? 2 : 4);
  const isLittle = oneIn(2, random);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[isLittle ? index : bytes.length - 1 - index] = value / 2 ** (8 * index);
  return bytes;
}

const replacedAt = (bytes: Uint8Array, at: number, by: Uint8Array): Uint8Array =>
  spliced(bytes, at, by.length, by);

function spliced(bytes: Uint8Array, at: number, removed: number, inserted: Uint8Array): Uint8Array {
  return new Uint8Array(
    Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(Math.min(bytes.length, at + removed))]),
  );
}

/** Text that JSON.stringify cannot write; `jsonText` puts it in the place of the string that names it. */
const RAW = '@raw:';
const nested = (open: string, close: string, levels: number): string =>
  `${RAW}${open.repeat(levels)}1${close.repeat(levels)}`;

/** An object whose conversions to text and number throw. */
const UNPRINTABLE = { toString: 1, valueOf: 1 };

const ODD: readonly unknown[] = [
  ...[null, true, false, [], {}, '', ' ', 0, -0, -1, 1, 0.5, 255, 65_536, 1e308, -1e308, 5e-324],
  ...[2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e21],
  ...[
    `${RAW}NaN`,
    `${RAW}Infinity`,
    `${RAW}-Infinity`,
    `${RAW}-0`,
    `${RAW}1e999`,
    `${RAW}01`,
    `${RAW}undefined`,
  ],
  ...['\ud800', '\udfff\ud800', 'a\u0000b', '\u202e', '\ufeff', 'e\u0301', '😀'],
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'null', 'NaN', 'true', '1e999'],
  ...[
    '../../../../etc/passwd',
    '/etc/passwd',
    '..\\..\\boot.ini',
    'C:\\con',
    'file:///etc/passwd',
    './.',
    '~',
  ],
  ...[
    'http://127.0.0.1:1/',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'data:image/png;base64,%%%',
  ],
  ...['{}', '[]', '"', "'", '\\', '\n', '{a}', '{a.b}', '%s%n', '<x/>', '\u001b[2J', '$(id)', '`id`'],
  ...['(a+)+$', '^(((([a-z.]+)+)+)+)+!$', '(?<=a)b', '[', '\\'],
  ...[UNPRINTABLE, [UNPRINTABLE], { __proto__: 1 }, { length: 2 ** 31 }, [[[]]], [null], [[1, 2], [3]]],
  ...[JSON.parse('{"__proto__": {"polluted": true}}'), { constructor: { prototype: { polluted: true } } }],
  ...[nested('[', ']', 101), nested('{"a":', '}', 101), nested('[', ']', 5000)],
];

/** Rarely: each costs as much as a hundred others. */
const HUGE: readonly ((random: Random) => unknown)[] = [
  () => 'a'.repeat(70_000),
  () => '"\\'.repeat(20_000),
  () => 'é\ud83d'.repeat(20_000),
  () => Array.from({ length: 5000 }, (_, index) => index),
  () => Array.from({ length: 2000 }, () => ({})),
  () => Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key-${index}`, index])),
  () => nested('[', ']', 50_000),
  random => '{a}'.repeat(random.int(10_000)),
  () => 'x '.repeat(30_000),
];
const HUGE_ONE_IN = 150;

const oddValue = (random: Random): unknown =>
  oneIn(HUGE_ONE_IN, random) ? chosen(HUGE, random)(random) : chosen(ODD, random);

/** One to three changes somewhere in the value. */
export function damagedJson(value: unknown, random: Random): unknown {
  let damaged = value;
  for (let change = 0; change <= random.int(3); change += 1) damaged = changedWithin(damaged, random);
  return damaged;
}

/** Deeper places are as likely as others: the walk ends at each level with a probability of a quarter. */
function changedWithin(value: unknown, random: Random): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.length === 0 || oneIn(4, random)) return changedHere(value, random);
  const key = chosen(keys, random);
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === key ? changedWithin(each, random) : each));
  return withEntry(value as object, key, changedWithin((value as Record<string, unknown>)[key], random));
}

/** Defines the key '__proto__' as any other. */
const withEntry = (object: object, key: string, value: unknown): unknown =>
  Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, value]]);

function changedHere(value: unknown, random: Random): unknown {
  if (oneIn(2, random) || typeof value !== 'object' || value === null) {
    if (typeof value === 'number' && oneIn(3, random)) return value + chosen([-1, 1, 0.5, 1e9], random);
    if (typeof value === 'string' && oneIn(3, random))
      return value + String(chosen(['', '.', '/..', '\0', value], random));
    return oddValue(random);
  }
  if (Array.isArray(value)) {
    const at = random.int(value.length + 1);
    return oneIn(2, random)
      ? value.toSpliced(at, random.int(3))
      : value.toSpliced(
          at,
          0,
          ...Array.from({ length: 1 + random.int(4) }, () => value[0] ?? oddValue(random)),
        );
  }
  const keys = Object.keys(value);
  if (keys.length > 0 && oneIn(2, random)) {
    const removed = chosen(keys, random);
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== removed));
  }
  return withEntry(
    value,
    String(chosen(['__proto__', 'constructor', 'x', '', 'length', ...keys], random)),
    oddValue(random),
  );
}

/** The text of a damaged value, with numbers and nesting that JSON.stringify does not write. */
export function jsonText(value: unknown, random: Random): string {
  const text = JSON.stringify(value) ?? 'null';
  const written = text.replaceAll(/"@raw:((?:[^"\\]|\\.)*)"/g, (_, raw: string) =>
    raw.replaceAll('\\"', '"'),
  );
  // The first of two equal keys.
  if (written.startsWith('{"') && oneIn(50, random)) return `${written.slice(0, -1)},${written.slice(1)}`;
  return written;
}

/** The text of a damaged JSON value; sometimes its bytes are damaged instead. */
export function damagedJsonText(value: unknown, random: Random): Uint8Array {
  if (oneIn(6, random)) return damagedBytes(new TextEncoder().encode(JSON.stringify(value)), random);
  return new TextEncoder().encode(jsonText(damagedJson(value, random), random));
}
