// Steps that are learned from.

import { expect, test } from 'vitest';
import { sampleOf, withoutMeanings } from '../../../runtime/agents/compact/sample.ts';
import { element, tokens } from './screens.ts';

test('a training sample has all token features, without the meanings', () => {
  const shown = tokens('Press "Save"', [element({ name: 'Save', role: 'button' })]);
  const { meanings, ...numbers } = shown;
  expect(meanings.length).toBe(shown.count);
  const sample = sampleOf(shown, { kind: 8 });
  expect(withoutMeanings(sample)).toEqual({ ...sample, tokens: numbers });
});
