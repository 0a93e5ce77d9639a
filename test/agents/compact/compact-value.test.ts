// Steps that are kept by the thousands.

import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleOf, withoutMeanings } from '../../../runtime/agents/compact/sample.ts';
import { deserializeValue, serializeValue } from '../../../runtime/agents/compact/serialized-value.ts';
import { element, tokens } from './screens.ts';

const SAMPLE = withoutMeanings(
  sampleOf(
    tokens(
      'Press "Save"',
      Array.from({ length: 20 }, () => element({ name: 'Save', role: 'button' })),
    ),
    { kind: 8 },
  ),
);

test('unpacking reverses packing', () => {
  expect(deserializeValue(serializeValue(SAMPLE))).toEqual(SAMPLE);
  const values = fc.record({
    bytes: fc.uint8Array(),
    floats: fc.float32Array(),
    words: fc.array(fc.string()),
  });
  fc.assert(
    fc.property(values, value => {
      expect(deserializeValue(serializeValue(value))).toEqual(value);
    }),
  );
});

test('an unpacked value does not share memory with its message', () => {
  // As in a message between processes, arrays look into one memory.
  const [first] = deserialize(serialize([SAMPLE, SAMPLE, SAMPLE])) as readonly (typeof SAMPLE)[];
  const { bytes } = serializeValue(first);
  expect(bytes.byteLength).toBeLessThan(1.1 * serialize(SAMPLE).byteLength);
  expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
});

test('two unpacked values share no memory', () => {
  const kept = serializeValue(SAMPLE);
  deserializeValue(kept).tokens.features.fill(7);
  expect(deserializeValue(kept)).toEqual(SAMPLE);
});
