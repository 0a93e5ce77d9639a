// Steps that are kept by the thousands.

import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bundled, packed, unpacked } from '../../runtime/policy/packed.ts';
import { numbered, sampleOf } from '../../runtime/policy/sample.ts';
import { encode } from '../../runtime/policy/seen.ts';
import { element, pocketSeen, tokens } from './screens.ts';

const SAMPLE = numbered(
  sampleOf(
    tokens(
      'Press "Save"',
      Array.from({ length: 20 }, () => element({ name: 'Save', role: 'button' })),
    ),
    { kind: 8 },
  ),
);

test('what was packed or bundled comes out again', () => {
  expect(unpacked(packed(SAMPLE))).toEqual(SAMPLE);
  expect(unpacked(bundled(SAMPLE))).toEqual(SAMPLE);
  const values = fc.record({
    bytes: fc.uint8Array(),
    floats: fc.float32Array(),
    words: fc.array(fc.string()),
  });
  fc.assert(
    fc.property(values, value => {
      expect(unpacked(packed(value))).toEqual(value);
      expect(unpacked(bundled(value))).toEqual(value);
    }),
  );
});

test('it is smaller, and holds nothing of the message that it came in', () => {
  // As in a message between processes, arrays look into one memory.
  const [first] = deserialize(serialize([SAMPLE, SAMPLE, SAMPLE])) as readonly (typeof SAMPLE)[];
  const { bytes } = packed(first);
  expect(bytes.byteLength).toBeLessThan(serialize(SAMPLE).byteLength / 3);
  for (const kept of [bytes, bundled(first).bytes]) expect(kept.buffer.byteLength).toBe(kept.byteLength);
});

test('nothing of what is unpacked is shared with what comes next', () => {
  for (const kept of [packed(SAMPLE), bundled(SAMPLE)]) {
    unpacked(kept).tokens.features.fill(7);
    expect(unpacked(kept)).toEqual(SAMPLE);
  }
});

test('what is deflated already is bundled in as many bytes as packed', () => {
  const step = {
    observation: encode(pocketSeen('mail-forward', 2)),
    decisions: [{ head: 'kind', choice: 1, logProbability: [-0.5] }],
  };
  expect(bundled(step).bytes.byteLength).toBeLessThan(1.1 * packed(step).bytes.byteLength);
});
