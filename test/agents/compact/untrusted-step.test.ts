// A step that another machine sent trains only if the network can use it. host-values.test.ts checks what happens to the others.

import { expect, test } from 'vitest';
import type { Observation } from '../../../runtime/agents/compact/observation.ts';
import { sampleOf } from '../../../runtime/agents/compact/sample.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import { requireSoundStep } from '../../../runtime/agents/compact/untrusted-step.ts';
import { element, seenOf } from './screens.ts';
import { travelling } from './steps.ts';

const MODE = 'a11y_tree';

function check(change: Partial<Observation>): void {
  const seen = { ...seenOf('Press the button.', [element({ name: 'Button' })]), ...change };
  const tokens = tokensOf(seen);
  const sample = sampleOf(tokens, { kind: 0, pointer: tokens.pointable.indexOf(1) });
  const { observation, choice } = travelling(seen, sample);
  requireSoundStep(observation, choice, MODE);
}

const text = (length: number) => 'x'.repeat(length);

test.each<[string, (length: number) => Partial<Observation>, number]>([
  ['instruction', length => ({ instruction: text(length) }), 100_000],
  ['elements.0.role', length => ({ elements: [element({ role: text(length) })] }), 10_000],
  ['elements.0.name', length => ({ elements: [element({ name: text(length) })] }), 10_000],
  ['elements.0.value', length => ({ elements: [element({ value: text(length) })] }), 10_000],
  ['recent.0.text', length => ({ recent: [{ kind: 0, text: text(length), changed: true }] }), 100_000],
  ['memory.0.text', length => ({ memory: [{ text: text(length), age: 1 }] }), 10_000],
])('the text at %s has a bound', (path, change, most) => {
  expect(() => check(change(most))).not.toThrow();
  expect(() => check(change(most + 1))).toThrow(`invalid at '${path}'`);
});
