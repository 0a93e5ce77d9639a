// Pointer and keyboard input of the shell, with three simple applications: the focus, dialogs, menus and triple clicks.

import { beforeEach, describe, expect, test } from 'vitest';
import { centre } from '../../../runtime/core/screen.ts';
import { box } from '../../../runtime/environments/box.ts';
import type { Keyboard, Pointer } from '../../../runtime/environments/pocket/shell/input.ts';
import { diaryDesktop, green, red } from './diary-desktop.ts';
import { Hand } from './hand.ts';

const { start, act, open, elements, find, at, click, stroke, focused, doneIn, front } = diaryDesktop();
let pointer: Pointer;
let keyboard: Keyboard;

beforeEach(() => {
  ({ pointer, keyboard } = start());
});

describe('focus', () => {
  test('moves with Tab through all widgets with a key, and wraps around', () => {
    open(red);
    const order = ['File', 'Red one', 'Red ask', 'Red field'];
    for (const name of [...order, order[0]]) {
      stroke('tab');
      expect(focused()).toBe(name);
    }
  });

  test('moves backwards with Shift+Tab, starting at the last widget', () => {
    open(red);
    stroke('shift+tab');
    expect(focused()).toBe('Red field');
    stroke('shift+tab');
    expect(focused()).toBe('Red ask');
  });

  test('moves to a pressed widget, but not to a menu', () => {
    open(red);
    click('textfield', 'Red field');
    click('menu', 'File');
    click('menuitem', 'Open');
    expect(focused()).toBe('Red field');
  });

  test('receives typed text; without a focus the application does', () => {
    open(red);
    act(() => keyboard.type('12'));
    expect(doneIn(red)).toEqual(['typed 12']);
    click('textfield', 'Red field');
    act(() => keyboard.type('abc'));
    expect(find('textfield', 'Red field')?.value).toBe('abc');
  });

  test('belongs to the front window, and each window keeps its own', () => {
    open(red, green);
    click('textfield', 'Green field');
    click('button', 'Red');
    expect(focused()).toBeUndefined();
    click('button', 'Green');
    expect(focused()).toBe('Green field');
  });

  test('presses a button with Enter and Space', () => {
    open(red);
    stroke('tab');
    stroke('tab');
    stroke('enter');
    act(() => keyboard.space());
    expect(doneIn(red)).toEqual(['one', 'one']);
  });
});

describe('a dialog', () => {
  beforeEach(() => {
    open(red);
    click('button', 'Red ask');
  });

  test('has the focus on the widget it names, and Tab stays inside', () => {
    expect(focused()).toBe('Name');
    for (const name of ['Yes', 'No', 'Name']) {
      stroke('tab');
      expect(focused()).toBe(name);
    }
  });

  test.each([
    ['esc', 'dismissed'],
    ['enter', 'accepted'],
  ])('%s: the dialog is %s', (key, what) => {
    stroke(key);
    expect(find('dialog', 'Sure?')).toBeUndefined();
    expect(doneIn(red)).toEqual([what]);
  });

  test('is dismissed by its close button', () => {
    act(() =>
      pointer.press(centre(elements().findLast(({ name }) => name === 'Close')?.box ?? box(0, 0, 0, 0))),
    );
    expect(doneIn(red)).toEqual(['dismissed']);
  });

  test('blocks the window behind it', () => {
    const [bar, one] = [at('titlebar', 'Red'), at('button', 'Red one')];
    const before = find('window', 'Red')?.box;
    act(() => pointer.press(one));
    act(() => pointer.doublePress(one));
    act(() => pointer.drag(bar, { x: bar.x + 60, y: bar.y + 60 }));
    stroke('ctrl+s');
    expect(doneIn(red)).toEqual([]);
    expect(find('window', 'Red')?.box).toEqual(before);
    expect(find('dialog', 'Sure?')).toBeDefined();
  });

  test('does not block other windows', () => {
    open(green);
    stroke('tab');
    stroke('tab');
    stroke('enter');
    expect(doneIn(green)).toEqual(['one']);
    click('button', 'Red');
    expect(focused()).toBe('Name');
  });

  test('returns the focus to the window when it closes', () => {
    stroke('esc');
    expect(focused()).toBe('Red ask');
  });
});

describe('a menu', () => {
  beforeEach(() => {
    open(red);
    click('menu', 'File');
  });

  test('closes on a press outside, which does nothing else', () => {
    stroke('esc');
    open(green);
    const behind = at('button', 'Red one');
    click('menu', 'File');
    act(() => pointer.press(behind));
    expect(find('menuitem', 'Open')).toBeUndefined();
    expect(front()).toBe('Green');
    expect(doneIn(red)).toEqual([]);
  });

  test('closes on a double click outside, which does nothing else', () => {
    const one = at('button', 'Red ask');
    act(() => pointer.doublePress(one));
    expect(find('menuitem', 'Open')).toBeUndefined();
    expect(find('dialog', 'Sure?')).toBeUndefined();
  });

  test('closes on a triple or middle click outside, which does nothing else', () => {
    const one = at('button', 'Red ask');
    for (const press of [() => pointer.triplePress(one), () => pointer.middlePress(one)]) {
      act(press);
      expect(find('menuitem', 'Open')).toBeUndefined();
      expect(find('dialog', 'Sure?')).toBeUndefined();
      click('menu', 'File');
    }
  });

  test('closes on Escape, which nothing below receives', () => {
    stroke('esc');
    expect(find('menuitem', 'Open')).toBeUndefined();
    expect(doneIn(red)).toEqual([]);
  });

  test('blocks typed text while it is open', () => {
    stroke('esc');
    click('textfield', 'Red field');
    click('menu', 'File');
    act(() => keyboard.type('abc'));
    stroke('esc');
    expect(find('textfield', 'Red field')?.value).toBe('');
    act(() => keyboard.type('d'));
    expect(find('textfield', 'Red field')?.value).toBe('d');
  });

  test('ignores a disabled item', () => {
    click('menuitem', 'Print');
    expect(doneIn(red)).toEqual([]);
  });

  test.each([
    [['down'], 'open'],
    [['up'], 'quit'],
    [['up', 'down'], 'open'],
    [['down', 'down', 'down'], 'quit'],
  ])('the arrows %j and Enter choose %s', (keys, what) => {
    for (const key of keys) stroke(key);
    stroke('enter');
    expect(doneIn(red)).toEqual([what]);
  });
});

describe('a triple click', () => {
  beforeEach(() => open(red));

  test('presses a button three times', () => {
    const one = at('button', 'Red one');
    act(() => pointer.triplePress(one));
    expect(doneIn(red)).toEqual(['one', 'one', 'one']);
  });

  test('selects the whole text of a field, so that typing replaces it', () => {
    const field = at('textfield', 'Red field');
    act(() => pointer.press(field));
    act(() => keyboard.type('two words'));
    act(() => pointer.triplePress(field));
    act(() => keyboard.type('three'));
    expect(find('textfield', 'Red field')?.value).toBe('three');
  });
});

describe('a hotkey with several keys acts on what each key before left', () => {
  const notes = (): Hand => {
    const hand = new Hand();
    hand.open('Notes');
    return hand;
  };
  const text = (hand: Hand) => hand.element('Text', 'textarea').value;
  const focusedIn = (hand: Hand) => hand.machine.elements().find(({ states }) => states.includes('focused'));

  test('characters and Backspace', () => {
    const hand = notes();
    hand.keys('a+b+c');
    expect(text(hand)).toBe('abc');
    hand.keys('backspace+backspace');
    expect(text(hand)).toBe('a');
  });

  test('Tab', () => {
    const [hand, other] = [notes(), notes()];
    hand.keys('tab+tab');
    other.keys('tab');
    expect(focusedIn(hand)?.name).not.toBe(focusedIn(other)?.name);
    other.keys('tab');
    expect(focusedIn(hand)?.name).toBe(focusedIn(other)?.name);
  });

  test('keys with Ctrl', () => {
    const hand = notes();
    hand.type('one');
    hand.keys('ctrl+a+c');
    hand.keys('end');
    hand.keys('ctrl+v');
    expect(text(hand)).toBe('oneone');
  });
});
