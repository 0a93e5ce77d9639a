import { expect, test } from 'vitest';
import { entryLabel, extendTrail, type Trail, type TrailAction } from '../../../webview/play/trail.ts';

const at = { x: 1, y: 2 };
const told = (...actions: readonly TrailAction[]): string[] =>
  actions
    .reduce<Trail>(
      (trail, action) => extendTrail(trail, { action, on: 'at' in action ? 'button “Save”' : '' }),
      [],
    )
    .map(entryLabel);

test('consecutive letters and notches become one entry', () => {
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

test('a double click replaces its first click', () => {
  expect(told({ kind: 'click', at }, { kind: 'double_click', at })).toEqual(['Double click button “Save”']);
});

test('every kind of action has a label', () => {
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
    'Move to button “Save”',
    'Drag',
    'Press Ctrl+Shift+Z',
    'Wait',
    'Done',
    'Infeasible',
  ]);
});
