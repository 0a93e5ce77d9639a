// Random JSON values and rules for them.

import type { Random } from '../../../core/rng.ts';
import type { Options } from '../../../tasks/metrics/metric.ts';
import { oneIn, pick, repeat, shuffled } from './texts-choice.ts';
import { word } from './words.ts';

/** A value without parts. */
export const jsonAtom = (random: Random): unknown =>
  pick<() => unknown>(random, [
    () => word(random),
    () => `${word(random)} ${word(random)}`,
    () => random.int(200) - 50,
    () => random.int(1000) / 8,
    () => random.int(1000) / 1e7,
    () => oneIn(random, 2),
    () => null,
    () =>
      pick(random, ["it's", 'a "quote"', 'line\nfeed', '', 'tab\t', '\u00a0', 'ß', '\u{1f600}', '1', '0']),
  ])();

/** A value with lists and records up to a depth. */
export function jsonValue(random: Random, depth: number): unknown {
  if (depth === 0 || oneIn(random, 3)) return jsonAtom(random);
  if (oneIn(random, 2)) return repeat(random.int(4), () => jsonValue(random, depth - 1));
  return jsonRecord(random, depth);
}

export const jsonRecord = (random: Random, depth: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(repeat(2 + random.int(4), () => [word(random), jsonValue(random, depth - 1)]));

/** The value with one change, of which some do not matter. */
export function changedJson(random: Random, value: unknown): unknown {
  if (oneIn(random, 3)) return value;
  if (Array.isArray(value))
    return pick<() => unknown>(random, [
      () => shuffled(random, value),
      () => value.slice(1),
      () => value.map(each => (oneIn(random, 2) ? changedJson(random, each) : each)),
    ])();
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      pick<() => readonly (readonly [string, unknown])[]>(random, [
        () => shuffled(random, entries),
        () => entries.slice(1),
        () => [...entries, ['more', jsonAtom(random)]],
        () => entries.map(([key, each]) => [key, oneIn(random, 3) ? changedJson(random, each) : each]),
      ])(),
    );
  }
  if (typeof value === 'boolean') return pick<unknown>(random, [!value, Number(value), String(value)]);
  if (typeof value === 'number') return pick<unknown>(random, [value, value + 1, String(value)]);
  if (typeof value === 'string') return pick(random, [value, value.toUpperCase(), `${value} `]);
  return pick<unknown>(random, [null, '', 0, false]);
}

/** A rule `{method, ref}` for a value, which matches it in more than half of the cases. */
export function ruleFor(random: Random, value: unknown): Options {
  const near = oneIn(random, 4) ? jsonAtom(random) : value;
  const text = typeof near === 'string' ? near : String(near);
  const number = typeof near === 'number' ? near : random.int(10);
  const part = text.slice(0, 3).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return pick<() => Options>(random, [
    () => ({ method: 'eq', ref: near }),
    () => ({ method: 'eq', ref: near }),
    () => ({ method: 'ne', ref: near }),
    () => ({ method: 're', ref: part }),
    () => ({ method: 're', ref: `^${part}.*$` }),
    () => ({ method: 're.I', ref: part.toUpperCase() }),
    () => ({ method: 're.S', ref: `${part}.+\\w` }),
    () => ({ method: 're.M.I', ref: `^\\w+$` }),
    () => ({ method: pick(random, ['le', 'lt', 'ge', 'gt']), ref: number + random.int(3) - 1 }),
    () => ({ method: pick(random, ['le', 'gt']), ref: text }),
    () => ({ method: `approx:${pick(random, ['0', '0.5', '2', '1e-3'])}`, ref: number + random.int(2) / 2 }),
    () => ({
      method: `range.${pick(random, ['tt', 'te', 'et', 'ee'])}`,
      ref: [number - random.int(2), number + random.int(3)],
    }),
    () => ({ method: 'str_list_eq', ref: text.split(',') }),
    () => ({ method: 'str_set_eq', ref: [...text.split(','), ...text.split(',')] }),
    () => ({ method: 'unknown', ref: text }),
  ])();
}
