// Files: a tree of folders and the entries of the current one. This file has the layout and the keys; actions.ts changes
// entries and holds the navigation state.

import { growing, row } from '../../toolkit/boxes.ts';
import { button, label, shortcutItem } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { ROW_HEIGHT } from '../../toolkit/rows.ts';
import type { KeyStroke, UiServices, Widget } from '../../toolkit/widget.ts';
import { entryAt, nameOf, parentOf } from '../../world.ts';
import { PocketApp, windowLayout } from '../app.ts';
import { Browser, FileActions } from './actions.ts';
import { barMenus, FIND, list, rowKey, sizeOf, tree } from './panes.ts';

/** Whole rows of the list that fit into the window. */
const VISIBLE_ROWS = 8;

export class FilesApp extends PocketApp {
  readonly id = 'files';
  readonly name = 'Files';
  readonly icon = 'folder';
  readonly size = { width: 272, height: 190 };
  readonly #browser = new Browser(this.world.root);
  readonly #actions = new FileActions(this.#browser, this.shell, this.dialogs);

  override title(): string {
    return `Files - ${this.#browser.title}`;
  }

  /** Opens a folder, or selects a file in its folder. */
  show(path: string): void {
    const entry = entryAt(this.#browser.root, path);
    if (entry === undefined) return;
    this.#browser.go(entry.kind === 'folder' ? path : parentOf(path));
    if (entry.kind === 'file') this.#choose(path);
  }

  view(): Widget {
    const panes = row([tree(this.#actions), list(this.#actions)], { gap: 3, grow: 1 });
    const status = label(this.#status, { faint: true });
    const content = [this.#locationBar(), panes, status];
    return windowLayout(barMenus(this.#actions), content, { gap: 2, margin: 3 });
  }

  /** The path of the current folder, or the search field. */
  #locationBar(): Widget {
    const browser = this.#browser;
    const { query } = browser;
    const up = button('Up', { enabled: browser.folder !== '/', press: () => browser.up() });
    if (query === undefined) {
      return row([up, growing(label(browser.folder)), button(FIND, { press: () => browser.openSearch() })]);
    }
    const field = textField(FIND, query, {
      hint: `Find in ${browser.title}`,
      change: state => browser.search(state),
      enter: () => this.#step(0),
    });
    return row([up, growing(field), button('Done', { press: () => browser.search(undefined) })]);
  }

  get #status(): string {
    const { chosen, isSearching, root, rows } = this.#browser;
    const entry = chosen === undefined ? undefined : entryAt(root, chosen);
    if (chosen !== undefined && entry !== undefined) {
      return `${nameOf(chosen)}: ${sizeOf(entry)}${entry.kind === 'file' ? ' characters' : ''}`;
    }
    if (isSearching) return `${rows.length} found`;
    return rows.length === 1 ? '1 item' : `${rows.length} items`;
  }

  stroke(stroke: KeyStroke, ui: UiServices): void {
    const browser = this.#browser;
    const steps = { up: -1, down: 1, home: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }[stroke];
    if (steps !== undefined) this.#step(steps, ui);
    else if (stroke === 'alt+up') browser.up();
    else if (stroke === 'esc' && browser.query === undefined) browser.choose(undefined);
    else if (stroke === 'esc') browser.search(undefined);
    else {
      const items = barMenus(this.#actions).flatMap(menu => menu.items());
      shortcutItem(items, stroke)?.choose(ui);
    }
  }

  /** Selects the row `by` rows below the selected one, or the first row without a selection. */
  #step(by: number, ui?: UiServices): void {
    const { rows, chosen } = this.#browser;
    const current = rows.findIndex(each => each.path === chosen);
    const wanted = current < 0 && Number.isFinite(by) ? 0 : current + by;
    const row = rows[Math.max(0, Math.min(rows.length - 1, wanted))];
    if (row === undefined) return;
    this.#choose(row.path);
    ui?.focus(rowKey(row.path));
  }

  /** Selects a row and scrolls to it. */
  #choose(path: string): void {
    const { rows, listScroll } = this.#browser;
    this.#browser.choose(path);
    const top = rows.findIndex(each => each.path === path) * ROW_HEIGHT;
    const lowest = top - (VISIBLE_ROWS - 1) * ROW_HEIGHT;
    listScroll.offset = Math.max(lowest, Math.min(listScroll.offset, top));
  }
}
