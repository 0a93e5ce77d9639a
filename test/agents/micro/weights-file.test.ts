import { expect, test } from 'vitest';
import { decodeMicro, encodeMicro } from '../../../runtime/agents/micro/weights-file.ts';
import { decodeSafetensors, encodeSafetensors } from '../../../runtime/graph/safetensors.ts';
import { TINY, tinyWeights } from './tiny.ts';

const saved = { shape: TINY, version: 12, weights: tinyWeights('file') };

test('a file gives the weights back', () => {
  expect(decodeMicro(encodeMicro(saved), 'a file')).toEqual(saved);
});

test.each([
  ['format', 'dartboard-policy-1', /is no micro model/],
  ['vocabulary', 'micro-0', /has the vocabulary 'micro-0'/],
  ['shape', '{}', /metadata/],
])('a file with another %s is rejected', (field, value, message) => {
  const { tensors, metadata } = decodeSafetensors(encodeMicro(saved));
  const changed = encodeSafetensors({ tensors, metadata: { ...metadata, [field]: value } });
  expect(() => decodeMicro(changed, 'a file')).toThrow(message);
});
