// What a policy is shown, as bytes: nothing is lost on the way, and what is no such thing is refused with words.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decode,
  ENCODING,
  EncodingError,
  encode,
  type Observation,
  SQUARE_AREA,
} from '../../../runtime/agents/compact/observation.ts';
import type { ElementState } from '../../../runtime/core/screen.ts';
import { element, pocketSeen } from './screens.ts';

const STATES: readonly ElementState[] = ['checked', 'disabled', 'editable', 'focused', 'selected'];

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '"', '\\', '\0', '\ufeff', '__proto__'),
);

/** Whole and in range; there is no negative zero on a screen. */
const whole = fc.integer({ min: -500, max: 5000 });

const box = fc.record({ x: whole, y: whole, width: whole, height: whole });

const elements = fc.array(
  fc.record({
    role: text,
    name: text,
    value: text,
    states: fc.uniqueArray(fc.constantFrom(...STATES)),
    box,
  }),
  { maxLength: 5 },
);

const squares = (count: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: count * SQUARE_AREA }, (_, index) => (index * seed) >> 3);

const seen: fc.Arbitrary<Observation> = fc
  .record({
    mode: fc.constantFrom('screenshot' as const, 'a11y_tree' as const, 'screenshot_a11y_tree' as const),
    size: fc.record({ width: fc.nat(4000), height: fc.nat(4000) }),
    instruction: text,
    elements,
    firstElement: fc.nat(50),
    patches: fc.array(box, { maxLength: 4 }),
    recent: fc.array(fc.record({ kind: fc.nat(10), text, changed: fc.boolean() }), { maxLength: 3 }),
    memory: fc.array(fc.record({ text, age: fc.nat(20) }), { maxLength: 3 }),
    seed: fc.nat(1000),
    glimpsed: fc.boolean(),
  })
  .map(({ seed, glimpsed, ...rest }) => ({
    ...rest,
    squares: squares((glimpsed ? rest.elements.length : 0) + rest.patches.length, seed),
  }));

const observed = pocketSeen('settings-theme', 3);
const withBytes = (bytes: Uint8Array) => ({ encoding: ENCODING, bytes });
const packed = (bytes: Uint8Array) => withBytes(deflateRawSync(bytes));

/** The header is any text; no squares follow. */
function headed(header: string): Uint8Array {
  const head = new TextEncoder().encode(header);
  const bytes = new Uint8Array(4 + head.length);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  return bytes;
}

describe('encoding and decoding', () => {
  test('returns the same observation', () => {
    fc.assert(
      fc.property(seen, each => {
        expect(decode(encode(each))).toEqual(each);
      }),
    );
  });

  test('reads a part of a larger buffer and does not keep the buffer', () => {
    const { encoding, bytes } = encode(observed);
    const large = new Uint8Array(bytes.length + 100).fill(7);
    large.set(bytes, 33);
    const read = decode({ encoding, bytes: large.subarray(33, 33 + bytes.length) });
    large.fill(9);
    expect(read).toEqual(observed);
  });

  test('takes a third of the size of its pixels and texts', () => {
    const { bytes } = encode(observed);
    const pixels = observed.squares.length;
    expect(3 * bytes.length).toBeLessThan(pixels + JSON.stringify(observed.elements).length);
  });
});

describe('an error describes', () => {
  test('another encoding, with both names', () => {
    const { bytes } = encode(observed);
    const read = () => decode({ encoding: 'dartboard-seen-0', bytes });
    expect(read).toThrow(EncodingError);
    expect(read).toThrow(/'dartboard-seen-0'.*'dartboard-seen-\d+'/);
  });

  test('an observation that is truncated anywhere, or too long', () => {
    const { bytes } = encode({
      ...observed,
      elements: [element()],
      patches: [],
      squares: squares(1, 3),
    });
    for (let length = 0; length < bytes.length; length++)
      expect(() => decode(withBytes(bytes.subarray(0, length)))).toThrow(EncodingError);
    const inside = inflateRawSync(bytes);
    for (const length of [0, 3, 4, 40, inside.length - 1])
      expect(() => decode(packed(inside.subarray(0, length)))).toThrow(EncodingError);
    const longer = new Uint8Array(inside.length + 1);
    longer.set(inside);
    expect(() => decode(packed(longer))).toThrow('differs from its header');
  });

  test.each([
    ['no JSON', 'nonsense'],
    ['no header', 'null'],
    ['a header without elements', '{"patches":[],"glimpsed":0}'],
    ['a header without patches', '{"elements":[],"glimpsed":0}'],
  ])('an observation with %s', (_name, header) => {
    expect(() => decode(packed(headed(header)))).toThrow(EncodingError);
  });

  test('an observation that inflates beyond the limit', () => {
    expect(() => decode(packed(new Uint8Array(1 << 25)))).toThrow(EncodingError);
  });
});
