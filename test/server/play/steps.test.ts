import { expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { stepsOf } from '../../../runtime/server/play/steps.ts';

const click = (x: number): Action => ({ kind: 'click', at: { x, y: 10 } });
const double = (x: number): Action => ({ kind: 'double_click', at: { x, y: 10 } });
const type = (text: string): Action => ({ kind: 'type', text });
const press = (name: string): Action => ({ kind: 'hotkey', keys: [key(name)] });
const scroll = (direction: 'up' | 'down'): Action => ({
  kind: 'scroll',
  at: { x: 1, y: 1 },
  direction,
  notches: 1,
});

test.each<[string, Action[], number]>([
  ['nothing', [], 0],
  ['two clicks', [click(1), click(1)], 2],
  ['letters with a blank between them', [type('a'), press('space'), type('b')], 1],
  ['letters, Enter, letters', [type('a'), press('enter'), type('b')], 3],
  ['the wheel turned on and on', [scroll('down'), scroll('down'), scroll('down')], 1],
  ['the wheel turned back', [scroll('down'), scroll('up')], 2],
  ['a double click, of which the first click came alone', [click(10), double(11)], 1],
  ['a click, and a double click elsewhere', [click(10), double(30)], 2],
])('%s', (_, actions, steps) => {
  expect(stepsOf(actions)).toBe(steps);
});
