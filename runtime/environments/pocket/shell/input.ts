// Pointer and keyboard input. Pointer input goes to the widget under the pointer; a press raises the window. An open menu
// receives presses and keys first, then come the shell's shortcuts, the focused widget, and the dialog or application in front.

import type { Direction } from '../../../core/action.ts';
import { contains, type Point } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import { MAX_TEXT_LENGTH } from '../toolkit/text-edit.ts';
import type { KeyStroke } from '../toolkit/widget.ts';
import { afterArrow, type OpenMenu } from './menu.ts';
import { type EventNames, type Item, layerAt } from './scene.ts';
import type { DesktopShell } from './shell.ts';

export class Pointer {
  constructor(private readonly shell: DesktopShell) {}

  press(at: Point): void {
    const item = this.#pressTarget(at, ['press', 'drag', 'type']);
    if (item === undefined) return;
    // Menu items act on the focused widget, so a menu does not take the focus.
    if (item.widget.describe?.role !== 'menu') this.#focus(item);
    item.widget.on?.press?.(at, this.shell.ui, item.box);
  }

  doublePress(at: Point): void {
    const menu = this.shell.popup !== undefined;
    this.press(at);
    // The first press acted on the open menu; the second must not act on what is below it.
    if (!menu) this.#pressAgain(at, 'double');
  }

  triplePress(at: Point): void {
    const menu = this.shell.popup !== undefined;
    this.doublePress(at);
    if (!menu) this.#pressAgain(at, 'triple');
  }

  /** The middle button raises a window and closes a menu. No widget reacts to it. */
  middlePress(at: Point): void {
    this.#pressTarget(at, []);
  }

  /** The right button: opens the context menu. */
  menu(at: Point): void {
    const item = this.#pressTarget(at, ['menu']);
    if (item === undefined) return;
    const items = item.widget.on?.menu?.(at, item.box) ?? [];
    this.#focus(item);
    if (items.length > 0) this.shell.show(items, box(at.x, at.y, 0, 0));
  }

  drag(from: Point, to: Point): void {
    const item = this.#pressTarget(from, ['drag', 'payload']);
    if (item === undefined) return;
    this.#focus(item);
    const { drag, payload } = item.widget.on ?? {};
    if (payload === undefined) {
      drag?.(from, to, item.box);
      return;
    }
    // The press may have raised a window.
    this.shell.compose();
    this.#under(to, ['drop'])?.widget.on?.drop?.(payload);
  }

  wheel(at: Point, direction: Direction, notches: number): void {
    if (this.shell.popup !== undefined) return;
    const item = this.#under(at, ['wheel']);
    item?.widget.on?.wheel?.(direction, notches, item.box);
  }

  #pressAgain(at: Point, event: 'double' | 'triple'): void {
    this.shell.compose();
    const item = this.#under(at, [event, 'press']);
    const handlers = item?.widget.on;
    if (item !== undefined) (handlers?.[event] ?? handlers?.press)?.(at, this.shell.ui, item.box);
  }

  #focus({ widget }: Item): void {
    if (widget.key !== undefined) this.shell.focus(widget.key);
  }

  #under(at: Point, events: EventNames): Item | undefined {
    return this.shell.target(layerAt(this.shell.scene, at), at, events);
  }

  /** The target of a press. A press beside an open menu closes it; a press on a window raises it. */
  #pressTarget(at: Point, events: EventNames): Item | undefined {
    const { popup, windows, scene } = this.shell;
    if (popup !== undefined && !contains(popup.box, at)) {
      this.shell.popup = undefined;
      return undefined;
    }
    const layer = layerAt(scene, at);
    const window = windows.all.find(
      ({ app }) => layer?.id === `window ${app.id}` || layer?.id === `dialog ${app.id}`,
    );
    if (window !== undefined && window !== windows.active) windows.raise(window);
    return this.shell.target(layer, at, events);
  }
}

/** Of one action. Each needs a scene of its own, so a model that repeats a line break would stop all desktops of its process. */
export const MAX_INPUTS = 400;

export class Keyboard {
  constructor(private readonly shell: DesktopShell) {}

  /** Types text; a line break presses Enter, and a tab Tab. */
  type(text: string): void {
    const inputs = text
      .slice(0, MAX_TEXT_LENGTH)
      .split(/([\n\t])/)
      .filter(part => part !== '')
      .slice(0, MAX_INPUTS);
    for (const [index, input] of inputs.entries()) {
      // Each input may change the focus of the next. The caller composes the scene after the last one.
      if (index > 0) this.shell.compose();
      if (input === '\n') this.stroke('enter');
      else if (input === '\t') this.stroke('tab');
      else this.#write(input);
    }
  }

  #write(line: string): void {
    const { popup, focused: item, windows } = this.shell;
    // An open menu ignores text and blocks everything behind it.
    if (popup !== undefined) return;
    const window = windows.active;
    if (item?.widget.on?.type !== undefined) item.widget.on.type(line, item.box);
    else if (window?.dialogTitle === undefined) window?.app.type?.(line);
  }

  /** The space bar: a character for a text widget, otherwise a key. */
  space(): void {
    const writes = this.shell.focused?.widget.on?.type !== undefined;
    if (this.shell.popup === undefined && writes) this.type(' ');
    else this.stroke('space');
  }

  stroke(stroke: KeyStroke): void {
    const { popup, focused, ui } = this.shell;
    if (popup !== undefined) this.#strokeMenu(popup, stroke);
    else if (this.#strokeShell(stroke)) return;
    else if (focused?.widget.on?.stroke?.(stroke, ui, focused.box)) return;
    else if (stroke === 'tab') this.#moveFocus(1);
    else if (stroke === 'shift+tab') this.#moveFocus(-1);
    else this.#strokeApp(stroke);
  }

  #strokeMenu(menu: OpenMenu, stroke: KeyStroke): void {
    const chosen = stroke === 'enter' ? menu.items[menu.marked] : undefined;
    if (stroke === 'esc') this.shell.popup = undefined;
    else if (chosen !== undefined) this.shell.choose(chosen);
    else this.shell.popup = afterArrow(menu, stroke) ?? menu;
  }

  /** Shortcuts that do not depend on the focus. */
  #strokeShell(stroke: KeyStroke): boolean {
    const { windows } = this.shell;
    const { active } = windows;
    if (stroke === 'alt+tab') {
      // Raises the rearmost window, so that repeated presses visit all windows.
      const next = windows.all.find(window => window !== active);
      if (next !== undefined) windows.raise(next);
    } else if (stroke === 'alt+f4') {
      if (active !== undefined) windows.close(active);
    } else if (stroke === 'win') this.shell.launcher();
    else return false;
    return true;
  }

  #strokeApp(stroke: KeyStroke): void {
    const app = this.shell.windows.active?.app;
    const dialog = app?.dialog?.();
    if (dialog === undefined) app?.stroke?.(stroke, this.shell.ui);
    else if (stroke === 'esc') dialog.dismiss();
    else if (stroke === 'enter') dialog.accept();
  }

  #moveFocus(by: 1 | -1): void {
    const items = this.shell.front?.items ?? [];
    const keys = items.flatMap(({ widget }) => (widget.key === undefined ? [] : [widget.key]));
    const focused = this.shell.focused?.widget.key;
    const current = focused === undefined ? -1 : keys.indexOf(focused);
    // Without a focus, Tab starts at the first widget and Shift+Tab at the last.
    const next = current < 0 && by < 0 ? keys.at(-1) : keys[(current + by + keys.length) % keys.length];
    if (next !== undefined) this.shell.focus(next);
  }
}
