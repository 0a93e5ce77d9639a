// Random choices and broken files, which the makers of cases of texts, settings, browsers and archives share.

import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import { textFile } from './words.ts';

export const pick = <T>(random: Random, items: readonly T[]): T => at(items, random.int(items.length));

/** True in one of `n` cases. */
export const oneIn = (random: Random, n: number): boolean => random.int(n) === 0;

export const repeat = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The items in another order. */
export function shuffled<T>(random: Random, items: readonly T[]): readonly T[] {
  const left = [...items];
  return items.map(() => at(left.splice(random.int(left.length), 1), 0));
}

/** A file of the agent, which is now and then missing, empty, cut, or not UTF-8. */
export function foundFile(random: Random, file: TaskFile): TaskFile | null {
  switch (random.int(20)) {
    case 0:
      return null;
    case 1:
      return { ...file, bytes: new Uint8Array() };
    case 2:
      return { ...file, bytes: file.bytes.slice(0, file.bytes.length >> 1) };
    case 3:
      return { ...file, bytes: Uint8Array.of(...file.bytes, 0xff, 0xfe) };
    default:
      return file;
  }
}

export const foundText = (random: Random, name: string, text: string): TaskFile | null =>
  foundFile(random, textFile(name, text));

/** The text with one of several changes of which some matter to some metrics. */
export function changedText(random: Random, text: string): string {
  const place = random.int(text.length + 1);
  return pick<() => string>(random, [
    () => text,
    () => text,
    () => text,
    () => text.toUpperCase(),
    () => `${text}\n`,
    () => ` ${text} `,
    () => text.replaceAll('\n', '\r\n'),
    () => text.replaceAll(' ', '\t'),
    () => `\uFEFF${text}`,
    () => text.slice(0, place) + text.slice(place + 1),
    () => `${text.slice(0, place)}x${text.slice(place)}`,
    () => `${text.slice(0, place)}\u00a0${text.slice(place)}`,
    () => `${text.slice(0, place)}\u2028${text.slice(place)}`,
    () => [...text].reverse().join(''),
  ])();
}
