// Wrong values for tests of what other machines send: a real one with a part replaced by something odd, and a message with changed bytes.

import type { Random } from '../../../runtime/core/rng.ts';

const ODD: readonly unknown[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, 0.5, 1e308, 2 ** 53, 1e-320],
  ...['', '../../etc/passwd', 'x'.repeat(200_000), '\ud800', '__proto__', 'run-2', '*', '0'],
  ...[null, undefined, true, [], {}, { kind: 'tokens' }, { length: 1e9 }, [[[[]]]]],
  ...[new Uint8Array(), new Uint8Array(50).fill(255), Uint8Array.of(1, 2, 3)],
];

/** Any of them. */
export function at<T>(all: readonly T[], random: Random): T {
  const [found] = all.slice(random.int(all.length));
  return found as T;
}

type Part = readonly [holder: Record<string | number, unknown>, key: string | number];

function partsOf(value: unknown): readonly Part[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  const holder = value as Record<string | number, unknown>;
  return Object.keys(holder).flatMap(key => [[holder, key] as const, ...partsOf(holder[key])]);
}

/** A copy with one to three parts changed: replaced, removed, repeated, or moved by a little. */
export function mutated(value: unknown, random: Random): unknown {
  const copy = { value: structuredClone(value) };
  for (let left = 1 + random.int(3); left > 0; left -= 1) {
    const parts = partsOf(copy);
    if (parts.length === 0) break;
    const [holder, key] = at(parts, random);
    const part = holder[key];
    const change = random.int(6);
    if (change === 0 && !Array.isArray(holder)) delete holder[key];
    else if (change === 1 && Array.isArray(part))
      holder[key] = Array.from({ length: 300 }, () => part).flat();
    else if (change === 2 && typeof part === 'number') holder[key] = part + at([-1, 1, 1e6, -0.5], random);
    else if (change === 3 && part instanceof Uint8Array) holder[key] = withOddByte(part, random);
    else holder[key] = structuredClone(at(ODD, random));
  }
  return copy.value;
}

/** One to three bytes are different, or the end is missing. */
export function withOddByte(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0 || random.int(8) === 0) return bytes.slice(0, random.int(bytes.length + 1));
  const copy = bytes.slice();
  for (let left = 1 + random.int(3); left > 0; left -= 1) copy[random.int(copy.length)] = random.int(256);
  return copy;
}
