// Which steps of an own success are imitated.

import { expect, test } from 'vitest';
import { encode, type Observation } from '../../../runtime/agents/compact/observation.ts';
import type { Element } from '../../../runtime/core/screen.ts';
import { effectiveSteps } from '../../../runtime/data/pool/effective-steps.ts';

const checkbox = (states: Element['states']): Element => ({
  ...{ role: 'checkbox', name: 'big', value: '', states },
  box: { x: 1, y: 2, width: 10, height: 10 },
});

const observed = (changes: Partial<Observation>) =>
  encode({
    ...{ mode: 'screenshot_a11y_tree', size: { width: 160, height: 210 }, instruction: 'Select big.' },
    ...{ elements: [checkbox([])], firstElement: 0, patches: [], squares: new Uint8Array(256) },
    ...{ recent: [], memory: [] },
    ...changes,
  });

const step = (choice: number, changes: Partial<Observation> = {}) => ({
  observation: observed(changes),
  choice: { kind: 'heads', decisions: [{ head: 'kind', choice }] } as const,
});

const recent = (kind: number) => [{ kind, text: '', changed: false }];

test('steps that changed nothing are left out, but never the last one', () => {
  const checked = { elements: [checkbox(['checked'])] };
  const steps = [
    step(7),
    step(8, { recent: recent(7) }),
    step(0, { recent: recent(8), memory: [{ text: 'seen', age: 1 }] }),
    step(7, checked),
    step(0, { ...checked, recent: recent(7) }),
  ];
  expect(effectiveSteps(steps)).toEqual([steps[2], steps[4]]);
  expect(effectiveSteps(steps.slice(0, 1))).toEqual(steps.slice(0, 1));
});

test('pixels that changed count as well', () => {
  const steps = [step(0), step(1, { squares: new Uint8Array(256).fill(9) }), step(2)];
  expect(effectiveSteps(steps)).toEqual(steps);
});

test('the focus counts only where something can be written', () => {
  const focused = step(2, { elements: [checkbox(['focused'])] });
  const end = step(0, { elements: [checkbox(['checked', 'focused'])] });
  expect(effectiveSteps([step(1), focused, end])).toEqual([focused, end]);
  const field = (states: Element['states']) => ({ ...checkbox(states), role: 'textfield' });
  const steps = [
    step(0, { elements: [field(['editable'])] }),
    step(4, { elements: [field(['editable', 'focused'])] }),
  ];
  expect(effectiveSteps(steps)).toEqual(steps);
});

test('steps that cannot be read stay: the trainer reports damaged ones', () => {
  const { choice } = step(0);
  const damaged = { observation: { ...observed({}), bytes: new Uint8Array([1, 2, 3]) }, choice };
  const other = { observation: { encoding: 'another-agent', bytes: new Uint8Array() }, choice };
  const steps = [damaged, damaged, other, other];
  expect(effectiveSteps(steps)).toEqual(steps);
});
