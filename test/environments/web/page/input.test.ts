import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../../../runtime/core/action.ts';
import { KEYS, key } from '../../../../runtime/core/key.ts';
import {
  nextPress,
  type PageInput,
  pageInputs,
  usesClipboard,
} from '../../../../runtime/environments/web/page/input.ts';

const SIZE = { width: 480, height: 360 };
const inputsOf = (action: Action) => pageInputs(action, SIZE);
const typesOf = (inputs: readonly PageInput[]) =>
  inputs.map(each => ('event' in each ? each.event.type : each.kind));
const point = fc.record({ x: fc.nat(SIZE.width - 1), y: fc.nat(SIZE.height - 1) });

describe('mouse', () => {
  test('a click presses and releases at its point, without a move', () => {
    expect(inputsOf({ kind: 'click', at: { x: 7, y: 9 } })).toEqual([
      {
        kind: 'mouse',
        event: { type: 'mousePressed', x: 7, y: 9, button: 'left', clickCount: 1, buttons: 1 },
      },
      {
        kind: 'mouse',
        event: { type: 'mouseReleased', x: 7, y: 9, button: 'left', clickCount: 1, buttons: 0 },
      },
    ]);
  });

  test('double and triple clicks count up', () => {
    const counts = inputsOf({ kind: 'triple_click', at: { x: 1, y: 1 } }).map(each =>
      each.kind === 'mouse' ? each.event.clickCount : 0,
    );
    expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
    expect(inputsOf({ kind: 'double_click', at: { x: 1, y: 1 } })).toHaveLength(4);
  });

  test('a drag begins at its start, ends at its target, and holds the button between', () => {
    fc.assert(
      fc.property(point, point, (from, to) => {
        const inputs = inputsOf({ kind: 'drag', from, to });
        const events = inputs.flatMap(each => (each.kind === 'mouse' ? [each.event] : []));
        expect(events).toHaveLength(inputs.length);
        expect(events[1]).toMatchObject({ type: 'mousePressed', ...from });
        expect(events.at(-1)).toMatchObject({ type: 'mouseReleased', ...to, buttons: 0 });
        expect(events.at(-2)).toMatchObject({ type: 'mouseMoved', ...to });
        expect(events.slice(1, -1).every(({ buttons }) => buttons === 1)).toBe(true);
        for (const { x, y } of events) {
          expect(x >= Math.min(from.x, to.x) && x <= Math.max(from.x, to.x)).toBe(true);
          expect(y >= Math.min(from.y, to.y) && y <= Math.max(from.y, to.y)).toBe(true);
        }
      }),
    );
  });

  test('a notch scrolls less on a small screen', () => {
    const scroll: Action = { kind: 'scroll', at: { x: 1, y: 1 }, direction: 'down', notches: 5 };
    const deltaOf = (height: number) =>
      pageInputs(scroll, { width: 160, height }).map(each => (each.kind === 'mouse' ? each.event.deltaY : 0));
    expect(deltaOf(1080)).toEqual([265]);
    expect(deltaOf(210)).toEqual([90]);
  });
});

describe('keyboard', () => {
  test('every key goes down and up once', () => {
    for (const each of KEYS) {
      const inputs = inputsOf({ kind: 'hotkey', keys: [each] });
      if (each === 'f5') continue; // A shortcut of the browser.
      expect(typesOf(inputs), each).toEqual([expect.stringMatching(/eyDown$/), 'keyUp']);
    }
  });

  test('keys of a chord are released in reverse order, and type nothing with Ctrl', () => {
    const inputs = inputsOf({ kind: 'hotkey', keys: [key('ctrl'), key('a')] });
    const names = inputs.map(each => (each.kind === 'key' ? `${each.event.type} ${each.event.key}` : ''));
    expect(names).toEqual(['rawKeyDown Control', 'rawKeyDown a', 'keyUp a', 'keyUp Control']);
    expect(inputs[1]).toMatchObject({ event: { modifiers: 2 } });
  });

  test('with Shift, a key means its other character', () => {
    const [, digit] = inputsOf({ kind: 'hotkey', keys: [key('shift'), key('1')] });
    expect(digit).toMatchObject({ event: { type: 'keyDown', key: '!', text: '!', code: 'Digit1' } });
  });

  test('a text is typed character by character; characters without a key are inserted', () => {
    expect(typesOf(inputsOf({ kind: 'type', text: 'aB\n€' }))).toEqual([
      ...['keyDown', 'keyUp', 'keyDown', 'keyUp', 'keyDown', 'keyUp', 'text'],
    ]);
  });

  test('every printable ASCII character has a key that types it', () => {
    for (let code = 0x20; code < 0x7f; code++) {
      const text = String.fromCharCode(code);
      expect(inputsOf({ kind: 'type', text })[0], text).toMatchObject({ kind: 'key', event: { text } });
    }
  });

  test('keys that copy, cut or paste are recognised', () => {
    const uses = (first: string, ...others: readonly string[]) =>
      usesClipboard(inputsOf({ kind: 'hotkey', keys: [key(first), ...others.map(each => key(each))] }));
    for (const letter of ['c', 'x', 'v', 'insert']) expect(uses('ctrl', letter), letter).toBe(true);
    expect(uses('ctrl', 'shift', 'v')).toBe(true);
    expect(uses('shift', 'insert')).toBe(true);
    expect(uses('shift', 'delete')).toBe(true);
    expect(uses('ctrl', 'a')).toBe(false);
    expect(uses('delete')).toBe(false);
    expect(usesClipboard(inputsOf({ kind: 'type', text: 'cxvCXV' }))).toBe(false);
  });

  test('shortcuts of the browser reach no page', () => {
    expect(inputsOf({ kind: 'hotkey', keys: [key('alt'), key('left')] })).toEqual([
      { kind: 'browser', command: 'back' },
    ]);
    expect(inputsOf({ kind: 'hotkey', keys: [key('ctrl'), key('shift'), key('tab')] })).toEqual([
      { kind: 'browser', command: 'previous tab' },
    ]);
  });
});

test('finished, fail, none and wait send no input', () => {
  expect(inputsOf({ kind: 'wait' })).toEqual([]);
  expect(inputsOf({ kind: 'finished', answer: '' })).toEqual([]);
  expect(inputsOf({ kind: 'fail', why: '' })).toEqual([]);
  expect(inputsOf({ kind: 'none', why: 'unreadable' })).toEqual([]);
});

test('the presses of a double or triple click can be sent one by one', () => {
  const at = { x: 3, y: 4 };
  const size = { width: 10, height: 10 };
  const click = pageInputs({ kind: 'click', at }, size);
  const second = [...click, ...nextPress(at, 2)];
  expect(second).toEqual(pageInputs({ kind: 'double_click', at }, size));
  expect([...second, ...nextPress(at, 3)]).toEqual(pageInputs({ kind: 'triple_click', at }, size));
});
