// A script chooses its actions by the visible elements.

import { expect, test } from 'vitest';
import type { Element, Screen } from '../../../runtime/core/screen.ts';
import { type SolutionScript, solverOf } from '../../../runtime/environments/template/solution.ts';

const element = (role: string, name: string, x: number): Element => ({
  role,
  name,
  value: '',
  states: [],
  box: { x, y: 20, width: 10, height: 10 },
});

const showing = (...elements: readonly Element[]): Screen => ({
  pixels: { width: 1, height: 1, layout: 'rgb', data: new Uint8Array(3) },
  elements,
});

const first = (script: SolutionScript, screen: Screen) => solverOf('task', script)(screen);

test('a step acts on the centre of the front element with its role and name', () => {
  const screen = showing(
    element('button', 'Save', 0),
    element('button', 'Save', 100),
    element('tab', 'Save', 200),
  );
  expect(first([['click', 'button', 'Save']], screen)).toEqual({
    kind: 'click',
    at: { x: 105, y: 25 },
  });
});

test('a window title selects between elements of the same name', () => {
  const screen = showing(
    element('window', 'note.txt - Editor', 0),
    element('textarea', '', 10),
    element('window', 'Calculator', 50),
    element('textarea', '', 60),
  );
  const at = (step: SolutionScript[number]) => first([step], screen);
  expect(at(['click', 'textarea', '', 'Editor'])).toEqual({ kind: 'click', at: { x: 15, y: 25 } });
  expect(at(['click', 'textarea', ''])).toEqual({ kind: 'click', at: { x: 65, y: 25 } });
});

test.each<[string, SolutionScript[number], unknown]>([
  ['double', ['double', 'icon', 'a'], { kind: 'double_click', at: { x: 5, y: 25 } }],
  ['right', ['right', 'icon', 'a'], { kind: 'right_click', at: { x: 5, y: 25 } }],
  ['drag', ['drag', 'icon', 'a', 'icon', 'b'], { kind: 'drag', from: { x: 5, y: 25 }, to: { x: 55, y: 25 } }],
  [
    'scroll',
    ['scroll', 'icon', 'a', 'down'],
    { kind: 'scroll', at: { x: 5, y: 25 }, direction: 'down', notches: 5 },
  ],
  ['point', ['point', 7, 9], { kind: 'click', at: { x: 7, y: 9 } }],
  ['type', ['type', 'some words'], { kind: 'type', text: 'some words' }],
  ['keys', ['keys', 'ctrl', 's'], { kind: 'hotkey', keys: ['ctrl', 's'] }],
  ['fail', ['fail'], { kind: 'fail', why: '' }],
])('%s is one action', (_, step, action) => {
  const screen = showing(element('icon', 'a', 0), element('icon', 'b', 50));
  const solve = solverOf('task', [step]);
  expect([solve(screen), solve(screen).kind]).toEqual([action, 'finished']);
});

test('beside selects the element on the line of a text', () => {
  const line = (name: string, y: number): Element => ({
    ...element('label', name, 0),
    box: { x: 0, y, width: 50, height: 10 },
  });
  const button = (y: number): Element => ({
    ...element('button', 'Delete', 0),
    box: { x: 80, y, width: 20, height: 16 },
  });
  const screen = showing(line('one', 23), button(20), line('two', 43), button(40), button(50));
  expect(first([['beside', 'button', 'Delete', 'two']], screen)).toEqual({
    kind: 'click',
    at: { x: 90, y: 48 },
  });
  expect(first([['beside', 'button', 'Delete', 'one']], screen)).toEqual({
    kind: 'click',
    at: { x: 90, y: 28 },
  });
  expect(first([['beside', 'button', 'Delete', 'three']], screen)).toEqual({ kind: 'wait' });
  expect(first([['beside', 'tab', 'Delete', 'two']], screen)).toEqual({ kind: 'wait' });
});

test('beside prefers the element of its own column, to the right of the text', () => {
  const at = (role: string, name: string, x: number, y = 20): Element => ({
    ...element(role, name, x),
    box: { x, y, width: 40, height: 20 },
  });
  const screen = showing(
    ...[at('label', 'left', 0, 14), at('button', 'Add', 100)],
    ...[at('label', 'right', 150, 14), at('button', 'Add', 250)],
  );
  const click = (x: number) => ({ kind: 'click', at: { x, y: 30 } });
  expect(first([['beside', 'button', 'Add', 'left']], screen)).toEqual(click(120));
  expect(first([['beside', 'button', 'Add', 'right']], screen)).toEqual(click(270));
});

test('plays the steps in order, and then finishes', () => {
  const script: SolutionScript = [
    ['type', 'one'],
    ['keys', 'enter'],
  ];
  const solve = solverOf('task', script);
  expect([solve(showing()), solve(showing()), solve(showing())].map(({ kind }) => kind)).toEqual([
    'type',
    'hotkey',
    'finished',
  ]);
});

test('waits for a late element, and then plays the same step', () => {
  const script: SolutionScript = [['click', 'button', 'OK']];
  const solve = solverOf('task', script);
  expect(solve(showing())).toEqual({ kind: 'wait' });
  expect(solve(showing(element('button', 'OK', 0))).kind).toBe('click');
});

test('until waits for the prefix, and is no action of its own', () => {
  const script: SolutionScript = [
    ['until', 'label', 'ready'],
    ['type', 'word'],
  ];
  const solve = solverOf('task', script);
  expect(solve(showing())).toEqual({ kind: 'wait' });
  expect(solve(showing(element('label', 'ready at last', 0)))).toEqual({ kind: 'type', text: 'word' });
});

test('an element that never appears is a task error with the step and the visible elements', () => {
  const script: SolutionScript = [['click', 'button', 'OK']];
  const screen = showing(element('button', 'Cancel', 0));
  const solve = solverOf('task', script);
  expect(() => {
    for (let turn = 0; turn < 20; turn++) solve(screen);
  }).toThrow(/^task: step 1 of its script, \["click","button","OK"\].*Visible: button 'Cancel'/);
});
