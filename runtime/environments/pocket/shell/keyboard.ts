// Keyboard input. An open menu receives a key first, then the shell's shortcuts, the focused widget, and last the dialog or
// the application in front.

import type { KeyStroke } from '../toolkit/widget.ts';
import { afterArrow, type OpenMenu } from './menu.ts';
import type { DesktopShell } from './shell.ts';

export class Keyboard {
  constructor(private readonly shell: DesktopShell) {}

  /** Types text; a line break presses Enter. */
  type(text: string): void {
    const inputs = text.split(/(\n)/).filter(part => part !== '');
    for (const [index, input] of inputs.entries()) {
      // Each input may change the focus of the next. The caller composes the scene after the last one.
      if (index > 0) this.shell.compose();
      if (input === '\n') this.stroke('enter');
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
    const current = keys.indexOf(this.shell.focused?.widget.key ?? '');
    // Without a focus, Tab starts at the first widget and Shift+Tab at the last.
    const next = current < 0 && by < 0 ? keys.at(-1) : keys[(current + by + keys.length) % keys.length];
    if (next !== undefined) this.shell.focus(next);
  }
}
