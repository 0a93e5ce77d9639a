// Calculator: keys, a display, a memory, and a history of calculations.

import { column, growing, row, sized } from '../../toolkit/boxes.ts';
import { label, panel, shortcutItem } from '../../toolkit/controls.ts';
import { emptyNote, rows } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import type { KeyStroke, MenuItem, UiServices, Widget } from '../../toolkit/widget.ts';
import { PocketApp, windowLayout } from '../app.ts';
import { parseDecimal } from './decimal.ts';
import { clearHistory, display, padKey, pastSum } from './display.ts';
import { FAILURE, KEYS, press, withOperand } from './engine.ts';

const PAD_WIDTH = 112;
/** Characters that stand for another key. */
const TYPED: Readonly<Record<string, string>> = { ',': '.', x: '*', X: '*', ':': '/', c: 'C' };
const STROKES: Readonly<Record<KeyStroke, string>> = {
  enter: '=',
  esc: 'C',
  delete: 'C',
  backspace: 'Backspace',
  f9: '+/-',
};

export class CalculatorApp extends PocketApp {
  readonly id = 'calculator';
  readonly name = 'Calculator';
  readonly icon = 'calculator';
  readonly size = { width: 230, height: 184 };
  readonly #scroll = { offset: 0 };

  view(): Widget {
    const { calculator } = this.world;
    const edit = this.#editMenu();
    const panes = row([sized(this.#pad(), { width: PAD_WIDTH }), growing(this.#history())], { gap: 5 });
    return windowLayout([{ name: 'Edit', items: () => edit }], [display(calculator, edit), growing(panes)], {
      gap: 4,
      margin: 4,
    });
  }

  #press(key: string): void {
    this.world.calculator = press(this.world.calculator, key);
  }

  #pad(): Widget {
    const key = (name: string): Widget => {
      const enabled = !['MC', 'MR'].includes(name) || this.world.calculator.memory !== '';
      return padKey(name, enabled, () => this.#press(name));
    };
    const lines = [0, 4, 8, 12, 16, 20].map(from => {
      const keys = KEYS.slice(from, from + 4);
      // The last row has three keys: zero is twice as wide.
      return growing(
        row(
          keys.map(name => growing(key(name), name === '0' ? 2 : 1)),
          { gap: 2 },
        ),
      );
    });
    return column(lines, { gap: 2 });
  }

  #history(): Widget {
    const { calculator } = this.world;
    const sums = calculator.history.map((sum, index) =>
      pastSum(sum, `sum ${index}`, () => this.#recall(sum.slice(sum.lastIndexOf(' ') + 1))),
    );
    const clear = clearHistory(sums.length > 0, () => {
      calculator.history = [];
    });
    const list = scrolled(rows(sums), 'History', this.#scroll);
    const content = sums.length > 0 ? list : growing(emptyNote('Nothing yet', 3));
    return column([label('History', { bold: true }), panel(content, { field: true }), clear], { gap: 2 });
  }

  #editMenu(): readonly MenuItem[] {
    const copy = (ui: UiServices) => {
      ui.clipboard = this.world.calculator.display;
      this.shell.toast(`Copied ${ui.clipboard}`);
    };
    const paste = (ui: UiServices) => {
      if (!this.#recall(ui.clipboard)) this.shell.toast('The clipboard holds no number');
    };
    return [
      { name: 'Copy', shortcut: 'Ctrl+C', choose: copy },
      { name: 'Paste', shortcut: 'Ctrl+V', choose: paste },
      { name: 'Clear', shortcut: 'Esc', apart: true, choose: () => this.#press('C') },
    ];
  }

  /** Puts a number into the display; returns false if the text is not a number. */
  #recall(text: string): boolean {
    const value = parseDecimal(text);
    if (value === undefined || this.world.calculator.display === FAILURE) return false;
    this.world.calculator = withOperand(this.world.calculator, value);
    return true;
  }

  type(text: string): void {
    for (const character of text) this.#press(TYPED[character] ?? character);
  }

  stroke(stroke: KeyStroke, ui: UiServices): void {
    const key = STROKES[stroke];
    if (key !== undefined) this.#press(key);
    else shortcutItem(this.#editMenu(), stroke)?.choose(ui);
  }
}
