// Pointer and keyboard input of the shell, with three simple applications.

import { beforeEach, describe, expect, test } from 'vitest';
import { centre, type Element, type Point } from '../../../runtime/core/screen.ts';
import { box, intersects } from '../../../runtime/environments/box.ts';
import type { App, Dialog } from '../../../runtime/environments/pocket/shell/app.ts';
import { ElementReader } from '../../../runtime/environments/pocket/shell/elements.ts';
import { Keyboard, Pointer } from '../../../runtime/environments/pocket/shell/input.ts';
import { DesktopShell } from '../../../runtime/environments/pocket/shell/shell.ts';
import { column } from '../../../runtime/environments/pocket/toolkit/boxes.ts';
import { button, menuBar } from '../../../runtime/environments/pocket/toolkit/controls.ts';
import { textField } from '../../../runtime/environments/pocket/toolkit/field.ts';
import { editing } from '../../../runtime/environments/pocket/toolkit/text-edit.ts';
import type { KeyStroke, Widget } from '../../../runtime/environments/pocket/toolkit/widget.ts';

/** An application that records its inputs. */
class Diary implements App {
  readonly id: string;
  readonly icon = 'notes';
  readonly size = { width: 120, height: 100 };
  readonly done: string[] = [];
  #asking = false;
  #field = editing('');

  constructor(readonly name: string) {
    this.id = name.toLowerCase();
  }

  title(): string {
    return this.name;
  }

  view(): Widget {
    const note = (what: string) => () => void this.done.push(what);
    return column(
      [
        menuBar([
          {
            name: 'File',
            items: () => [
              { name: 'Open', choose: note('open') },
              { name: 'Print', enabled: false, choose: note('print') },
              { name: 'Quit', choose: note('quit') },
            ],
          },
        ]),
        button(`${this.name} one`, { press: note('one') }),
        button(`${this.name} ask`, {
          press: () => {
            this.#asking = true;
          },
        }),
        textField(`${this.name} field`, this.#field, {
          change: state => {
            this.#field = state;
          },
        }),
      ],
      { gap: 3 },
    );
  }

  dialog(): Dialog | undefined {
    if (!this.#asking) return undefined;
    const close = (what: string) => () => {
      this.#asking = false;
      this.done.push(what);
    };
    return {
      title: 'Sure?',
      width: 90,
      focus: 'Name',
      accept: close('accepted'),
      dismiss: close('dismissed'),
      content: column([
        textField('Name', editing(''), { change: () => {} }),
        button('Yes', { press: close('yes') }),
        button('No', { press: close('no') }),
      ]),
    };
  }

  type(text: string): void {
    this.done.push(`typed ${text}`);
  }

  stroke(stroke: KeyStroke): boolean {
    this.done.push(stroke);
    return true;
  }
}

const [red, green, blue] = ['Red', 'Green', 'Blue'];
let apps: Record<string, Diary>;
let shell: DesktopShell;
let pointer: Pointer;
let keyboard: Keyboard;

beforeEach(() => {
  shell = new DesktopShell(box(0, 0, 320, 240), () => '10:24', {});
  pointer = new Pointer(shell);
  keyboard = new Keyboard(shell);
  apps = Object.fromEntries([red, green, blue].map(name => [name, new Diary(name)]));
  for (const app of Object.values(apps)) shell.install(app);
  shell.compose();
});

/** Performs one input and composes the scene, as the machine does. */
const act = (input: () => void): void => {
  shell.begin();
  input();
  shell.compose();
};
const open = (...names: readonly string[]): void => {
  for (const name of names) act(() => shell.open(name.toLowerCase()));
};
const elements = (): readonly Element[] => new ElementReader().read(shell.scene);
const find = (role: string, name: string): Element | undefined =>
  elements().findLast(each => each.role === role && each.name === name);
const at = (role: string, name: string): Point => {
  const found = find(role, name);
  if (found === undefined)
    throw new Error(`There is no ${role} '${name}' among ${elements().map(e => e.name)}.`);
  return centre(found.box);
};
const click = (role: string, name: string): void => {
  const point = at(role, name);
  act(() => pointer.press(point));
};
const stroke = (name: KeyStroke): void => act(() => keyboard.stroke(name));
const focused = (): string | undefined => elements().find(({ states }) => states.includes('focused'))?.name;
const doneIn = (name: string): readonly string[] => apps[name]?.done ?? [];
const front = (): string | undefined => elements().findLast(({ role }) => role === 'window')?.name;

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

describe('windows', () => {
  test('a middle click raises a window behind, and its widget does not react', () => {
    open(red, green);
    const behind = at('button', 'Red one');
    act(() => pointer.middlePress(behind));
    expect(front()).toBe('Red');
    expect(doneIn(red)).toEqual([]);
  });

  test('a press raises a window behind and also acts on its widget', () => {
    open(red, green);
    expect(front()).toBe('Green');
    click('button', 'Red one');
    expect(front()).toBe('Red');
    expect(doneIn(red)).toEqual(['one']);
  });

  test('dragging the title bar moves the window', () => {
    open(red);
    const [from, before] = [at('titlebar', 'Red'), find('window', 'Red')?.box];
    act(() => pointer.drag(from, { x: from.x + 50, y: from.y + 20 }));
    expect(find('window', 'Red')?.box).toEqual(before && { ...before, x: before.x + 50, y: before.y + 20 });
  });

  test('a window can leave the screen, but its title bar stays reachable', () => {
    open(red);
    for (const to of [
      { x: 319, y: 239 },
      { x: 0, y: 0 },
    ]) {
      const from = at('titlebar', 'Red');
      act(() => pointer.drag(from, to));
      act(() => pointer.drag(at('titlebar', 'Red'), to));
      const bar = find('titlebar', 'Red')?.box;
      expect(bar?.width).toBeGreaterThan(12);
    }
  });

  test('minimising hides a window, and its task bar button shows it again', () => {
    open(red);
    click('button', 'Minimise');
    expect(find('window', 'Red')).toBeUndefined();
    expect(find('button', 'Red')?.states).toEqual([]);
    click('button', 'Red');
    expect(find('window', 'Red')).toBeDefined();
    expect(find('button', 'Red')?.states).toEqual(['pressed']);
  });

  test('a task bar button raises a window behind, and minimises the front one', () => {
    open(red, green);
    click('button', 'Red');
    expect(front()).toBe('Red');
    click('button', 'Red');
    expect(find('window', 'Red')).toBeUndefined();
    expect(front()).toBe('Green');
  });

  test('the launcher opens a closed window again', () => {
    open(red);
    click('button', 'Close');
    expect(find('window', 'Red')).toBeUndefined();
    click('button', 'Apps');
    click('menuitem', 'Red');
    expect(front()).toBe('Red');
  });

  test('alt+tab visits all windows, minimised ones too', () => {
    open(red, green, blue);
    const seen = [0, 1, 2].map(() => {
      stroke('alt+tab');
      return front();
    });
    expect(seen).toEqual(['Red', 'Green', 'Blue']);
    click('button', 'Minimise');
    stroke('alt+tab');
    stroke('alt+tab');
    stroke('alt+tab');
    expect(front()).toBe('Blue');
  });

  test('alt+tab raises the only other window, minimised or not', () => {
    open(red, green);
    click('button', 'Minimise');
    stroke('alt+tab');
    expect(front()).toBe('Green');
    stroke('alt+tab');
    expect(front()).toBe('Red');
  });

  test('alt+f4 closes the front window', () => {
    open(red, green);
    stroke('alt+f4');
    expect(find('window', 'Green')).toBeUndefined();
    expect(front()).toBe('Red');
  });

  test('only the front application receives shortcuts', () => {
    open(red, green);
    stroke('ctrl+s');
    expect(doneIn(green)).toEqual(['ctrl+s']);
    expect(doneIn(red)).toEqual([]);
  });

  test('covered widgets have no elements', () => {
    open(red, green);
    const all = elements();
    const cover = all.findIndex(({ role, name }) => role === 'window' && name === 'Green');
    const covering = all[cover]?.box ?? box(0, 0, 0, 0);
    const behind = all.slice(0, cover);
    expect(behind.map(({ name }) => name)).toContain('Red one');
    expect(behind.filter(each => intersects(each.box, covering))).toEqual([]);
  });

  test('a toast stays until the next action', () => {
    act(() => shell.toast('Saved'));
    expect(find('alert', 'Saved')).toBeDefined();
    stroke('tab');
    expect(find('alert', 'Saved')).toBeUndefined();
  });
});
