// A saved policy is read unchanged; any other file is rejected by name.

import { beforeAll, describe, expect, test } from 'vitest';
import type { NetworkShape } from '../../../runtime/agents/compact/network.ts';
import { firstWeights } from '../../../runtime/agents/compact/programs.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { decodeSafetensors, encodeSafetensors } from '../../../runtime/graph/safetensors.ts';
import { decodePolicy, encodePolicy, type SavedPolicy } from '../../../runtime/run/folders/policy-file.ts';

const shape: NetworkShape = { width: 8, blocks: 1, heads: 2, hidden: 8, letterWidth: 4, pixels: false };
let policy: SavedPolicy;
let file: Uint8Array;
beforeAll(() => {
  const random = seeded('policy file');
  const weights = firstWeights(shape, () => random.next());
  policy = { shape, mode: 'a11y_tree', tasks: ['mail-star', 'notes-find'], seed: 'a seed', weights };
  file = encodePolicy(policy);
});

test('a policy is read as it was written, bit for bit', () => {
  expect(decodePolicy(file, 'w')).toEqual(policy);
});

describe('rejected, by name', () => {
  const changed = (metadata: Readonly<Record<string, string>>) => {
    const { tensors, metadata: own } = decodeSafetensors(file);
    return encodeSafetensors({ tensors, metadata: { ...own, ...metadata } });
  };
  test.each([
    ['a text', () => new TextEncoder().encode('no weights at all'), 'cannot be used'],
    [
      'weights of something else',
      () => encodeSafetensors({ tensors: {}, metadata: {} }),
      "'dartboard train'",
    ],
    ['another encoding', () => changed({ encoding: 'dartboard-seen-0' }), 'Train it again'],
    ['an unknown mode', () => changed({ mode: 'sound' }), 'mode'],
    ['another shape', () => changed({ shape: JSON.stringify({ ...shape, width: 16 }) }), 'cannot be used'],
    ['a shape that is none', () => changed({ shape: '{' }), 'shape'],
  ])('%s', (_, made, said) => {
    expect(() => decodePolicy(made(), 'some/where')).toThrow("'some/where'");
    expect(() => decodePolicy(made(), 'some/where')).toThrow(said);
  });

  test('a damaged number', () => {
    const damaged = file.slice();
    damaged[damaged.length - 3] = (damaged[damaged.length - 3] ?? 0) ^ 1;
    expect(() => decodePolicy(damaged, 'w')).toThrow('damaged');
  });
});
