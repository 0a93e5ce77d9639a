import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { type InputEvent, inputBursts } from '../../../runtime/environments/docker/input.ts';

const SIZE = { width: 320, height: 240 };
const point = fc.record({ x: fc.nat(SIZE.width - 1), y: fc.nat(SIZE.height - 1) });

const POINTED = ['click', 'double_click', 'right_click', 'middle_click', 'triple_click', 'move'] as const;

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom(...POINTED), at: point }),
  fc.record({ kind: fc.constant('drag' as const), from: point, to: point }),
  fc.record({ kind: fc.constant('type' as const), text: fc.string({ maxLength: 200 }) }),
  fc.constant<Action>({ kind: 'hotkey', keys: [key('ctrl'), key('shift'), key('s')] }),
  fc.record({
    kind: fc.constant('scroll' as const),
    at: point,
    direction: fc.constantFrom('up', 'down', 'left', 'right'),
    notches: fc.integer({ min: 1, max: 100 }),
  }),
);

const events = (each: Action): readonly InputEvent[] => inputBursts(each, 2).flatMap(stroke => stroke.events);

const eventsOf = (each: Action): string[] =>
  events(each).map(event =>
    event.kind === 'pointer'
      ? `${event.at.x},${event.at.y} ${event.buttons}`
      : `${event.down ? '+' : '-'}${event.keysym.toString(16)}`,
  );

test('after any action all buttons and keys are released', () => {
  fc.assert(
    fc.property(action, each => {
      const down = new Set<number>();
      let buttons = 0;
      for (const event of events(each)) {
        if (event.kind === 'pointer') buttons = event.buttons;
        else if (event.down) down.add(event.keysym);
        else expect(down.delete(event.keysym)).toBe(true);
      }
      expect([buttons, down.size]).toEqual([0, 0]);
    }),
  );
});

test('a burst never exceeds the queue of an X server', () => {
  fc.assert(
    fc.property(action, each => {
      for (const stroke of inputBursts(each, 2)) expect(stroke.events.length).toBeLessThanOrEqual(64);
    }),
  );
});

test('a click moves before it presses', () => {
  expect(eventsOf({ kind: 'click', at: { x: 10, y: 20 } })).toEqual(['21,41 0', '21,41 1', '21,41 0']);
});

test('a double click is two clicks, a right click uses the third button', () => {
  const at = { x: 0, y: 0 };
  expect(eventsOf({ kind: 'double_click', at })).toEqual(['1,1 0', '1,1 1', '1,1 0', '1,1 1', '1,1 0']);
  expect(eventsOf({ kind: 'right_click', at })).toEqual(['1,1 0', '1,1 4', '1,1 0']);
});

test('a triple click is three clicks, a middle click uses the second button', () => {
  const at = { x: 0, y: 0 };
  expect(eventsOf({ kind: 'triple_click', at })).toEqual([
    '1,1 0',
    '1,1 1',
    '1,1 0',
    '1,1 1',
    '1,1 0',
    '1,1 1',
    '1,1 0',
  ]);
  expect(eventsOf({ kind: 'middle_click', at })).toEqual(['1,1 0', '1,1 2', '1,1 0']);
});

test('each notch of the wheel is a click of its X button', () => {
  const at = { x: 0, y: 0 };
  expect(eventsOf({ kind: 'scroll', at, direction: 'down', notches: 2 })).toEqual([
    '1,1 0',
    '1,1 16',
    '1,1 0',
    '1,1 16',
    '1,1 0',
  ]);
  const button = { up: 8, down: 16, left: 32, right: 64 } as const;
  for (const direction of ['up', 'down', 'left', 'right'] as const)
    expect(eventsOf({ kind: 'scroll', at, direction, notches: 1 })[1]).toBe(`1,1 ${button[direction]}`);
});

test('a line break is Return', () => {
  expect(eventsOf({ kind: 'type', text: 'a\nB' })).toEqual(['+61', '-61', '+ff0d', '-ff0d', '+42', '-42']);
});

test('a chord is pressed in order and released in reverse', () => {
  const [ctrl, s] = [key('ctrl'), key('s')];
  expect(eventsOf({ kind: 'hotkey', keys: [ctrl, s] })).toEqual(['+ffe3', '+73', '-73', '-ffe3']);
});

test.each([
  ['1', '21'],
  [';', '3a'],
  ['s', '53'],
])('shift and %s send the upper character, for which the server keeps shift', (lower, upper) => {
  const keys = [key('ctrl'), key('shift'), key(lower)] as const;
  const events = ['+ffe3', '+ffe1', `+${upper}`, `-${upper}`, '-ffe1', '-ffe3'];
  expect(eventsOf({ kind: 'hotkey', keys })).toEqual(events);
});

test('a drag presses at its start, moves in steps, waits for the last two, and releases at its end', () => {
  const strokes = inputBursts({ kind: 'drag', from: { x: 0, y: 0 }, to: { x: 60, y: 30 } }, 2);
  expect(strokes.every(({ events }) => events.length === 1)).toBe(true);
  const all = eventsOf({ kind: 'drag', from: { x: 0, y: 0 }, to: { x: 60, y: 30 } });
  expect(all.slice(0, 3)).toEqual(['1,1 0', '1,1 1', '21,11 1']);
  expect(all.slice(-2)).toEqual(['121,61 1', '121,61 0']);
  expect(strokes.map(({ until }) => until).slice(-4)).toEqual([
    'forwarded',
    'settled',
    'settled',
    'forwarded',
  ]);
});

test('finished, fail, none and wait send no input', () => {
  expect(eventsOf({ kind: 'wait' })).toEqual([]);
  expect(eventsOf({ kind: 'finished', answer: '' })).toEqual([]);
  expect(eventsOf({ kind: 'none', why: 'unreadable' })).toEqual([]);
});
