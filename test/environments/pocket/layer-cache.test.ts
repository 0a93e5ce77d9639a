// Windows behind the front one: they always show the current state of their applications, which are asked only if it may have
// changed.

import { beforeEach, describe, expect, test } from 'vitest';
import { centre, type Point } from '../../../runtime/core/screen.ts';
import { box } from '../../../runtime/environments/box.ts';
import type { App } from '../../../runtime/environments/pocket/shell/app.ts';
import { ElementReader } from '../../../runtime/environments/pocket/shell/elements.ts';
import { Keyboard, Pointer } from '../../../runtime/environments/pocket/shell/input.ts';
import { DesktopShell } from '../../../runtime/environments/pocket/shell/shell.ts';
import type { EventHandlers, Widget } from '../../../runtime/environments/pocket/toolkit/widget.ts';

/** An application that shows its number of inputs and a number of the shared data. */
class Tally implements App {
  readonly icon = 'notes';
  readonly size = { width: 120, height: 100 };
  looks = 0;
  #done = 0;

  constructor(
    readonly id: string,
    readonly shared: { number: number },
  ) {}

  get name(): string {
    return this.id;
  }

  get says(): string {
    return `${this.id} ${this.#done} ${this.shared.number}`;
  }

  title(): string {
    return this.id;
  }

  view(): Widget {
    this.looks += 1;
    const done = () => {
      this.#done += 1;
    };
    const on: EventHandlers = {
      press: done,
      wheel: done,
      drop: done,
      payload: { kind: 'a', name: this.id },
      menu: () => [{ name: 'Do', choose: done }],
    };
    const name = this.says;
    return {
      paintKey: name,
      describe: { role: 'tally', name },
      on,
      measure: () => ({ width: 40, height: 40 }),
    };
  }

  show(): void {
    this.#done += 1;
  }

  stroke(stroke: string): boolean {
    if (stroke === 's') this.shared.number += 1;
    else this.#done += 1;
    return true;
  }
}

let front: Tally;
let back: Tally;
let shell: DesktopShell;
let pointer: Pointer;
let keyboard: Keyboard;

const act = (input: () => void): void => {
  shell.begin();
  input();
  shell.compose();
};

beforeEach(() => {
  const shared = { number: 0 };
  shell = new DesktopShell(box(0, 0, 320, 240), () => '10:24', shared);
  [pointer, keyboard] = [new Pointer(shell), new Keyboard(shell)];
  [front, back] = [new Tally('front', shared), new Tally('back', shared)];
  for (const app of [front, back]) {
    shell.install(app);
    act(() => shell.open(app.id));
  }
  // Side by side, so that both windows are visible.
  act(() => {
    for (const window of shell.windows.all)
      if (window.app === front) shell.windows.move(window, { x: 150, y: 0 });
    shell.open('front');
  });
  act(() => {});
  [front.looks, back.looks] = [0, 0];
});

const shown = (): readonly string[] =>
  new ElementReader().read(shell.scene).flatMap(({ role, name }) => (role === 'tally' ? [name] : []));

const at = (app: Tally): Point => {
  const element = new ElementReader().read(shell.scene).find(({ name }) => name === app.says);
  if (element === undefined) throw new Error(`'${app.says}' is not among ${shown()}.`);
  return centre(element.box);
};

test('a window behind is not described again while only the front window gets input', () => {
  act(() => pointer.press(at(front)));
  act(() => keyboard.stroke('x'));
  expect(shown()).toEqual(['back 0 0', 'front 2 0']);
  expect([front.looks, back.looks]).toEqual([2, 0]);
});

describe('a window behind is up to date after', () => {
  test('a change of the shared data', () => {
    act(() => keyboard.stroke('s'));
    expect(shown()).toEqual(['back 0 1', 'front 0 1']);
  });

  test('the wheel over it', () => {
    act(() => pointer.wheel(at(back), 'down', 1));
    expect(shown()).toEqual(['back 1 0', 'front 0 0']);
  });

  test('a drop on it', () => {
    const [from, to] = [at(front), at(back)];
    act(() => pointer.drag(from, to));
    expect(shown()).toEqual(['back 1 0', 'front 0 0']);
  });

  test('a choice in a menu that opened before another window came to the front', () => {
    act(() => pointer.menu(at(back)));
    act(() => shell.open('front'));
    act(() => keyboard.stroke('down'));
    act(() => keyboard.stroke('enter'));
    expect(shown()).toEqual(['back 1 0', 'front 0 0']);
  });

  test('being in front during a part of an action', () => {
    act(() => {
      keyboard.stroke('alt+tab');
      keyboard.stroke('x');
      keyboard.stroke('alt+tab');
    });
    expect(shown()).toEqual(['back 1 0', 'front 0 0']);
  });

  test('a call of show that was followed at once by another window', () => {
    act(() => {
      shell.open('back', 'this');
      shell.open('front');
    });
    expect(shown()).toEqual(['back 1 0', 'front 0 0']);
  });
});
