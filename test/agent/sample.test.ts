// Steps that are learned from.

import { expect, test } from 'vitest';
import { sampleOf, withoutMeanings } from '../../runtime/agent/sample.ts';
import { element, tokens } from './screens.ts';

test('a step that is learned from has all numbers of what was shown, and nothing that only acting needs', () => {
  const shown = tokens('Press "Save"', [element({ name: 'Save', role: 'button' })]);
  const { meanings, ...numbers } = shown;
  expect(meanings.length).toBe(shown.count);
  const sample = sampleOf(shown, { kind: 8 });
  expect(withoutMeanings(sample)).toEqual({ ...sample, tokens: numbers });
});
