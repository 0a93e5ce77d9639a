import { expect, test } from 'vitest';
import { type Done, extended, inWords, type Trail } from '../../webview/play/trail.ts';

const at = { x: 1, y: 2 };
const told = (...actions: readonly Done[]): string[] =>
  actions
    .reduce<Trail>(
      (trail, action) => extended(trail, { action, on: 'at' in action ? 'button “Save”' : '' }),
      [],
    )
    .map(inWords);

test('what is done bit by bit is told at once', () => {
  expect(
    told(
      { kind: 'type', text: 'to' },
      { kind: 'hotkey', keys: ['space'] },
      { kind: 'type', text: 'do' },
      { kind: 'hotkey', keys: ['enter'] },
    ),
  ).toEqual(['Type “to do”', 'Press Enter']);
  expect(
    told(
      { kind: 'scroll', at, direction: 'down', notches: 1 },
      { kind: 'scroll', at, direction: 'down', notches: 2 },
      { kind: 'scroll', at, direction: 'up', notches: 1 },
    ),
  ).toEqual(['Scroll down', 'Scroll up']);
});

test('a double click takes the place of its first click', () => {
  expect(told({ kind: 'click', at }, { kind: 'double_click', at })).toEqual(['Double click button “Save”']);
});

test('every kind of action has words', () => {
  const spoken = told(
    { kind: 'click', at },
    { kind: 'right_click', at },
    { kind: 'move', at },
    { kind: 'drag', from: at, to: at },
    { kind: 'hotkey', keys: ['ctrl', 'shift', 'z'] },
    { kind: 'wait' },
    { kind: 'finished', answer: '' },
    { kind: 'fail', why: '' },
  );
  expect(spoken).toEqual([
    'Click button “Save”',
    'Right click button “Save”',
    'Point at button “Save”',
    'Drag',
    'Press Ctrl+Shift+Z',
    'Wait',
    'Done',
    'It cannot be done',
  ]);
});
