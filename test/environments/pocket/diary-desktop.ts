// A desktop with three applications that record their inputs, and short ways to use it.

import { centre, type Element, type Point } from '../../../runtime/core/screen.ts';
import { box } from '../../../runtime/environments/box.ts';
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

export const [red, green, blue] = ['Red', 'Green', 'Blue'];

/** Each `start` makes a new desktop. */
export function diaryDesktop() {
  let apps: Record<string, Diary>;
  let shell: DesktopShell;
  let pointer: Pointer;
  let keyboard: Keyboard;

  function start() {
    shell = new DesktopShell(box(0, 0, 320, 240), () => '10:24', {});
    pointer = new Pointer(shell);
    keyboard = new Keyboard(shell);
    apps = Object.fromEntries([red, green, blue].map(name => [name, new Diary(name)]));
    for (const app of Object.values(apps)) shell.install(app);
    shell.compose();
    return { shell, pointer, keyboard };
  }

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

  return { start, act, open, elements, find, at, click, stroke, focused, doneIn, front };
}
