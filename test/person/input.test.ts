// Pointer and key events become actions: each one as soon as it is complete.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import type { Action } from '../../runtime/core/action.ts';
import { NOTCHES } from '../../runtime/core/action.ts';
import { key } from '../../runtime/core/key.ts';
import {
  DOUBLE_CLICK_MS,
  joinLetters,
  MIN_DRAG_PX,
  NO_INPUT,
  nextInput,
  type PersonAction,
  type PersonEvent,
  PIXELS_PER_SCROLL,
  personEventOf,
  WHEEL_PAUSE_MS,
} from '../../runtime/person/input.ts';
import type { SentInput } from '../../runtime/protocol/daemon/record.ts';

/** `gapMs` between the events. */
function actionsOf(events: readonly PersonEvent[], gapMs = 10): readonly PersonAction[] {
  let [state, time] = [NO_INPUT, 0];
  return events.flatMap(event => {
    time += gapMs;
    const next = nextInput(state, { event, time });
    state = next.state;
    return next.actions;
  });
}

const at = { x: 50, y: 40 };
const press = (x = at.x, button: 'left' | 'middle' | 'right' = 'left') =>
  ({ kind: 'press', button, at: { x, y: at.y } }) as const;
const release = (x = at.x, button: 'left' | 'middle' | 'right' = 'left') =>
  ({ kind: 'release', button, at: { x, y: at.y } }) as const;
const wheel = (y: number, x = 0): PersonEvent => ({ kind: 'wheel', at, x, y });
const scroll = (direction: 'up' | 'down' | 'left' | 'right') => ({
  action: { kind: 'scroll', at, direction, notches: NOTCHES },
});

test('letters that arrive together are one text, and all else keeps its order', () => {
  const event = fc.oneof(
    fc.constantFrom('a', 'b', 'Z', 'é', '漢', ' ', '\n', '\t').map(text => ({ kind: 'text', text }) as const),
    fc.constantFrom(press(), release(), { kind: 'wait' } as const),
  );
  fc.assert(
    fc.property(fc.array(event), events => {
      const inputs = events.map((each, index) => ({ event: each, time: index, frame: index }));
      const joined = joinLetters(inputs);
      // Texts, each letter on its own again.
      const apart = joined.flatMap(({ event: each }): SentInput['event'][] =>
        each.kind === 'text' ? [...each.text].map(text => ({ kind: 'text', text })) : [each],
      );
      expect(apart).toEqual(events);
      const isText = ({ event: each }: (typeof joined)[number]) =>
        each.kind === 'text' && !/\s/.test(each.text);
      for (const [index, each] of joined.entries()) {
        const next = joined[index + 1];
        if (next !== undefined) expect(isText(each) && isText(next)).toBe(false);
        // A text was seen as its first letter, and has the time of its last one.
        expect(each.frame).toBe(
          each.event.kind === 'text' ? each.time - [...each.event.text].length + 1 : each.time,
        );
      }
    }),
  );
  const long = Array.from({ length: 3 }, (_, time) => ({
    ...{ event: { kind: 'text', text: 'x'.repeat(1500) } as const, time, frame: 1 },
  }));
  expect(joinLetters(long)).toEqual(long);
});

test('a click is an action at its release, and a second and third one continue it', () => {
  expect(actionsOf([press()])).toEqual([]);
  const click = { kind: 'click', at } as const;
  expect(actionsOf([press(), release()])).toEqual([{ action: click }]);
  const four = Array.from({ length: 4 }, () => [press(), release()]).flat();
  expect(actionsOf(four)).toEqual([
    { action: click },
    { action: click, press: 2 },
    { action: click, press: 3 },
    { action: click },
  ]);
  expect(actionsOf(four, DOUBLE_CLICK_MS)).toEqual([click, click, click, click].map(action => ({ action })));
});

test('two clicks at two places, or with a key between them, are no double click', () => {
  const elsewhere = at.x + MIN_DRAG_PX;
  expect(
    actionsOf([press(), release(), press(elsewhere), release(elsewhere)]).map(({ press }) => press),
  ).toEqual([undefined, undefined]);
  const typed: PersonEvent = { kind: 'text', text: 'a' };
  expect(
    actionsOf([press(), release(), typed, press(), release()]).every(each => each.press === undefined),
  ).toBe(true);
});

test('a hand that trembles clicks, and one that moves drags', () => {
  expect(actionsOf([press(), release(at.x + MIN_DRAG_PX - 1)])).toEqual([{ action: { kind: 'click', at } }]);
  const to = { x: at.x + MIN_DRAG_PX, y: at.y };
  expect(actionsOf([press(), release(to.x)])).toEqual([{ action: { kind: 'drag', from: at, to } }]);
});

test('the other buttons click, and do not drag', () => {
  expect(actionsOf([press(50, 'right'), release(50, 'right')])).toEqual([
    { action: { kind: 'right_click', at } },
  ]);
  expect(actionsOf([press(50, 'middle'), release(50, 'middle')])).toEqual([
    { action: { kind: 'middle_click', at } },
  ]);
  expect(actionsOf([press(50, 'right'), release(90, 'right')])).toEqual([]);
});

test('one turn of the wheel scrolls at once, and the next ones up to its distance belong to it', () => {
  expect(actionsOf([wheel(100)])).toEqual([scroll('down')]);
  expect(actionsOf([wheel(100), wheel(100), wheel(100)])).toEqual([scroll('down')]);
  expect(actionsOf([wheel(100), wheel(100), wheel(100), wheel(100)])).toEqual([
    scroll('down'),
    scroll('down'),
  ]);
  expect(actionsOf([wheel(-5), wheel(0, 5)])).toEqual([scroll('up'), scroll('right')]);
  expect(actionsOf([wheel(100), wheel(100)], WHEEL_PAUSE_MS + 1)).toEqual([scroll('down'), scroll('down')]);
});

test('the wheel scrolls as far as it turns', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }), turns => {
      const sum = turns.reduce((total, each) => total + each, 0);
      expect(actionsOf(turns.map(each => wheel(each)))).toHaveLength(Math.ceil(sum / PIXELS_PER_SCROLL));
    }),
  );
});

test('text is text with one kind of line break; tabs are pressed, other control characters dropped', () => {
  const texts = actionsOf([{ kind: 'text', text: 'é\r\nb\tc\u0007d' }]).map(({ action }) => action);
  expect(texts).toEqual([
    { kind: 'type', text: 'é\nb' },
    { kind: 'hotkey', keys: [key('tab')] },
    { kind: 'type', text: 'cd' },
  ]);
});

test('a cancelled press is no action', () => {
  expect(actionsOf([press(), { kind: 'cancel' }, release()])).toEqual([]);
});

const point = fc.record({ x: fc.nat(1000), y: fc.nat(1000) });
const event: fc.Arbitrary<PersonEvent> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('press' as const, 'release' as const),
    button: fc.constantFrom('left' as const, 'middle' as const, 'right' as const),
    at: point,
  }),
  fc.record({ kind: fc.constant('rest' as const), at: point }),
  fc.record({
    kind: fc.constant('wheel' as const),
    at: point,
    x: fc.double({ min: -9999, max: 9999, noNaN: true }),
    y: fc.double({ min: -9999, max: 9999, noNaN: true }),
  }),
  fc.record({ kind: fc.constant('text' as const), text: fc.string() }),
  fc.constant({ kind: 'cancel' as const }),
  fc.constant({ kind: 'wait' as const }),
);

test('any events are some actions that a policy can express, with points of the events', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), events => {
      const places = new Set(events.flatMap(each => ('at' in each ? [`${each.at.x} ${each.at.y}`] : [])));
      for (const { action, press } of actionsOf(events)) {
        if ('at' in action) expect(places).toContain(`${action.at.x} ${action.at.y}`);
        if (action.kind === 'scroll') expect(action.notches).toBe(NOTCHES);
        if (action.kind === 'type') expect(action.text).not.toMatch(/(?!\n)\p{Cc}/u);
        if (press !== undefined) expect(action.kind).toBe('click');
      }
    }),
  );
});

test.each<Action>([
  { kind: 'click', at },
  { kind: 'right_click', at },
  { kind: 'drag', from: at, to: { x: 5, y: 5 } },
  { kind: 'scroll', at, direction: 'up', notches: NOTCHES },
  { kind: 'hotkey', keys: [key('ctrl'), key('s')] },
  { kind: 'wait' },
])('the events of the hand that does %j are that action', action => {
  expect(actionsOf(eventsOf(action).map(event => personEventOf({ event })))).toEqual([{ action }]);
});
