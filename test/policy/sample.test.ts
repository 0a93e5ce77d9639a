// Steps that are kept.

import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { ownCopy, type Sample, sampleOf } from '../../runtime/policy/sample.ts';
import { element, tokens } from './screens.ts';

const SAMPLE = sampleOf(tokens('Press "Save"', [element({ name: 'Save', role: 'button' })]), { kind: 8 });

test('a copy is the same step', () => {
  expect(ownCopy(SAMPLE)).toEqual(SAMPLE);
});

test('a copy holds nothing of the message that the step came in', () => {
  // As a message between processes is: arrays look into one memory.
  const [first] = deserialize(serialize([SAMPLE, SAMPLE, SAMPLE])) as readonly Sample[];
  if (first === undefined) throw new Error('Three were sent.');
  const views = (sample: Sample) => Object.values(sample.tokens).filter(value => ArrayBuffer.isView(value));
  expect(views(first).length).toBeGreaterThan(5);
  for (const view of views(ownCopy(first))) expect(view.buffer.byteLength).toBe(view.byteLength);
});
