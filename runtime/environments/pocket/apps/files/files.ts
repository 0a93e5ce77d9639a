// Files: the folders of the desktop and what is in them. This file lays the window out and hears its keys; what is done to
// entries stands in actions.ts, where one is in browser.ts.

import type { App, Dialog, ShellServices } from '../../shell/app.ts';
import { menuBar } from '../../toolkit/bars.ts';
import { column, growing, row } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { ROW_HEIGHT } from '../../toolkit/rows.ts';
import type { KeyStroke, UiServices, Widget } from '../../toolkit/widget.ts';
import { entryAt, nameOf, type PocketWorld, parentOf } from '../../world.ts';
import { Actions } from './actions.ts';
import { Browser } from './browser.ts';
import { barMenus, type Files } from './menus.ts';
import { list, rowKey, sizeOf, tree } from './panes.ts';

const FIND = 'Find';
/** Whole rows that the list shows in a window of this size. */
const ROWS_SHOWN = 8;

export class FilesApp implements App {
  readonly id = 'files';
  readonly name = 'Files';
  readonly icon = 'folder';
  readonly size = { width: 272, height: 190 };
  readonly #browser: Browser;
  readonly #actions: Actions;
  readonly #files: Files;

  constructor(world: PocketWorld, shell: ShellServices) {
    this.#browser = new Browser(world.root);
    this.#actions = new Actions(this.#browser, shell);
    this.#files = {
      browser: this.#browser,
      actions: this.#actions,
      find: ui => this.#find(ui),
    };
  }

  title(): string {
    return `Files - ${this.#browser.title}`;
  }

  /** A folder is opened; a file is chosen in its folder. */
  show(path: string): void {
    const entry = entryAt(this.#browser.root, path);
    if (entry === undefined) return;
    this.#browser.go(entry.kind === 'folder' ? path : parentOf(path));
    if (entry.kind === 'file') this.#choose(path);
  }

  dialog(): Dialog | undefined {
    return this.#actions.dialog;
  }

  view(): Widget {
    const panes = row([tree(this.#files), list(this.#files)], { gap: 3, grow: 1 });
    return column(
      [
        menuBar(barMenus(this.#files)),
        column([this.#place(), panes, label(this.#status, { faint: true })], { gap: 2, margin: 3, grow: 1 }),
      ],
      { gap: 0 },
    );
  }

  /** The path, or the field that looks for names. */
  #place(): Widget {
    const browser = this.#browser;
    const { wanted } = browser;
    const up = button('Up', { enabled: browser.folder !== '/', press: () => browser.up() });
    if (wanted === undefined) {
      return row([up, growing(label(browser.folder)), button(FIND, { press: () => browser.lookAnew() })]);
    }
    const field = textField(FIND, wanted, {
      hint: `Find in ${browser.title}`,
      change: state => browser.look(state),
      enter: () => this.#step(0),
    });
    return row([up, growing(field), button('Done', { press: () => browser.look(undefined) })]);
  }

  get #status(): string {
    const { chosen, wanted, root } = this.#browser;
    const entry = chosen === undefined ? undefined : entryAt(root, chosen);
    if (chosen !== undefined && entry !== undefined) {
      return `${nameOf(chosen)}: ${sizeOf(entry)}${entry.kind === 'file' ? ' characters' : ''}`;
    }
    const { rows } = this.#browser;
    if (wanted !== undefined && wanted.text !== '') return `${rows.length} found`;
    return rows.length === 1 ? '1 item' : `${rows.length} items`;
  }

  stroke(stroke: KeyStroke, ui: UiServices): boolean {
    const [browser, actions] = [this.#browser, this.#actions];
    const { chosen, folder } = browser;
    const chosenOnly: Readonly<Record<string, (path: string) => void>> = {
      enter: path => actions.open(path),
      delete: path => actions.remove(path),
      f2: path => actions.rename(path),
      'ctrl+c': path => actions.copy(path),
      'ctrl+x': path => actions.cut(path),
    };
    const always: Readonly<Record<string, () => void>> = {
      up: () => this.#step(-1, ui),
      down: () => this.#step(1, ui),
      home: () => this.#step(Number.NEGATIVE_INFINITY, ui),
      end: () => this.#step(Number.POSITIVE_INFINITY, ui),
      backspace: () => browser.up(),
      'alt+up': () => browser.up(),
      'ctrl+v': () => actions.paste(folder),
      'ctrl+n': () => actions.newFolder(folder),
      'ctrl+f': () => this.#find(ui),
      esc: () => (browser.wanted === undefined ? browser.choose(undefined) : browser.look(undefined)),
    };
    if (chosen !== undefined && chosenOnly[stroke] !== undefined) chosenOnly[stroke](chosen);
    else if (always[stroke] !== undefined) always[stroke]();
    else return false;
    return true;
  }

  #find(ui: UiServices): void {
    this.#browser.lookAnew();
    ui.focus(FIND);
  }

  /** Chooses the row so many below the chosen one, or the first where none is. */
  #step(by: number, ui?: UiServices): void {
    const { rows, chosen } = this.#browser;
    const current = rows.findIndex(each => each.path === chosen);
    const wanted = current < 0 && Number.isFinite(by) ? 0 : current + by;
    const row = rows[Math.max(0, Math.min(rows.length - 1, wanted))];
    if (row === undefined) return;
    this.#choose(row.path);
    ui?.focus(rowKey(row.path));
  }

  /** Chooses a row and scrolls to where it can be seen. */
  #choose(path: string): void {
    const browser = this.#browser;
    browser.choose(path);
    const top = browser.rows.findIndex(each => each.path === path) * ROW_HEIGHT;
    const lowest = top - (ROWS_SHOWN - 1) * ROW_HEIGHT;
    browser.listOffset = Math.max(lowest, Math.min(browser.listOffset, top));
  }
}
