// Notes: an editor of text files beside the list of files in /Notes. It asks before unsaved changes are lost.

import { column, row, sized, space } from '../../toolkit/boxes.ts';
import { type BarMenu, label, panel, shortcutItem } from '../../toolkit/controls.ts';
import { textArea } from '../../toolkit/field.ts';
import { emptyNote, listRow, rows } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import { insert, selectAll, selectedText } from '../../toolkit/text-edit.ts';
import type { KeyStroke, MenuItem, UiServices, Widget } from '../../toolkit/widget.ts';
import { entryAt, folderAt, nameOf, parentOf } from '../../world.ts';
import { PocketApp, windowLayout } from '../app.ts';
import { FileDialog, type FileDialogOptions } from '../file-dialog.ts';
import { listed, madeFolder } from '../files/entries.ts';
import { Draft } from './draft.ts';
import { FIND, FindBar } from './find-bar.ts';

const TEXT = 'Text';
const NOTES = '/Notes';
const LIST_WIDTH = 80;

export class NotesApp extends PocketApp {
  readonly id = 'notes';
  readonly name = 'Notes';
  readonly icon = 'notes';
  readonly size = { width: 276, height: 194 };
  readonly focus = TEXT;
  readonly #findBar = new FindBar(text => this.shell.toast(text));
  readonly #scroll = { offset: 0 };
  #draft = new Draft();

  override title(): string {
    return `Notes - ${this.#draft.name}${this.#draft.isChanged ? '*' : ''}`;
  }

  /** Opens a file. */
  show(path: string): void {
    // A file dialog belongs to the note that was open before.
    this.dialogs.close();
    this.shell.focus(TEXT);
    if (path !== this.#draft.path || this.#isStale) this.#leave(() => this.#open(path));
  }

  /** Another application replaced the file, and nothing would be lost by opening it again. */
  get #isStale(): boolean {
    const { path, isChanged, state } = this.#draft;
    const entry = path === undefined ? undefined : entryAt(this.world.root, path);
    return !isChanged && (entry?.kind !== 'file' || entry.text !== state.text);
  }

  mayClose(): boolean {
    if (!this.#draft.isChanged) return true;
    this.#leave(() => {
      this.#draft = new Draft();
      this.shell.close(this.id);
    });
    return false;
  }

  view(): Widget {
    const draft = this.#draft;
    const text = textArea(TEXT, draft.state, { change: state => draft.change(state) });
    const findBar = this.#findBar.isOpen ? [this.#findBar.view(draft)] : [];
    const panes = row([this.#list(), text], { gap: 3, grow: 1 });
    return windowLayout(this.#menus(), [...findBar, panes, this.#status()], { gap: 2, margin: 3 });
  }

  stroke(stroke: KeyStroke, ui: UiServices): void {
    if (stroke === 'esc' && this.#findBar.isOpen) {
      this.#findBar.close();
      ui.focus(TEXT);
      return;
    }
    shortcutItem([...this.#fileItems(), ...this.#editItems()], stroke)?.choose(ui);
  }

  #list(): Widget {
    const notes = listed(this.world.root, NOTES, 'file').map(({ name, path }) =>
      listRow(name, {
        key: `note ${path}`,
        chosen: path === this.#draft.path,
        press: () => this.show(path),
      }),
    );
    const view = scrolled(rows(notes, emptyNote('No notes yet', 4)), 'Notes scroll', this.#scroll);
    return sized(column([panel(view, { field: true })]), { width: LIST_WIDTH });
  }

  #status(): Widget {
    const { text, caret } = this.#draft.state;
    const before = text.slice(0, caret);
    const [line, column] = [before.split('\n').length, before.length - before.lastIndexOf('\n')];
    const words = text.split(/\s+/).filter(word => word !== '').length;
    return row([
      label(`Line ${line}, column ${column}`, { faint: true }),
      space(),
      label(words === 1 ? '1 word' : `${words} words`, { faint: true }),
    ]);
  }

  // Menus

  /** The open menu has the focus; its items concern the text, so they return the focus to it. */
  #menus(): readonly BarMenu[] {
    const focusing = (items: readonly MenuItem[]) =>
      items.map(item => ({
        ...item,
        choose: (ui: UiServices) => {
          ui.focus(TEXT);
          item.choose(ui);
        },
      }));
    return [
      { name: 'File', items: () => focusing(this.#fileItems()) },
      { name: 'Edit', items: () => focusing(this.#editItems()) },
    ];
  }

  #fileItems(): readonly MenuItem[] {
    const startAnew = () =>
      this.#leave(() => {
        this.#draft = new Draft();
      });
    const open = () =>
      this.#leave(() => this.#choosePath({ mode: 'open', accept: path => this.#open(path) }));
    return [
      { name: 'New', shortcut: 'Ctrl+N', choose: startAnew },
      { name: 'Open...', shortcut: 'Ctrl+O', choose: open },
      { name: 'Save', shortcut: 'Ctrl+S', apart: true, choose: () => this.#save() },
      { name: 'Save As...', shortcut: 'Ctrl+Shift+S', choose: () => this.#saveAs() },
      { name: 'Close note', shortcut: 'Ctrl+W', apart: true, choose: startAnew },
    ];
  }

  #editItems(): readonly MenuItem[] {
    const draft = this.#draft;
    const selected = selectedText(draft.state);
    const enabled = selected !== '';
    const copy = (ui: UiServices) => {
      if (enabled) ui.clipboard = selected;
    };
    const cut = (ui: UiServices) => {
      copy(ui);
      draft.change(insert(draft.state, '', true));
    };
    const paste = (ui: UiServices) => draft.change(insert(draft.state, ui.clipboard, true));
    const find = (mode: 'find' | 'replace') => (ui: UiServices) => {
      this.#findBar.open(mode, draft);
      ui.focus(FIND);
    };
    const findNext = (ui: UiServices) =>
      this.#findBar.isOpen ? this.#findBar.next(draft) : find('find')(ui);
    return [
      { name: 'Undo', shortcut: 'Ctrl+Z', enabled: draft.canUndo, choose: () => draft.undo() },
      { name: 'Redo', shortcut: 'Ctrl+Y', enabled: draft.canRedo, choose: () => draft.redo() },
      { name: 'Cut', shortcut: 'Ctrl+X', apart: true, enabled, choose: cut },
      { name: 'Copy', shortcut: 'Ctrl+C', enabled, choose: copy },
      { name: 'Paste', shortcut: 'Ctrl+V', choose: paste },
      { name: 'Select All', shortcut: 'Ctrl+A', choose: () => draft.change(selectAll(draft.state)) },
      { name: 'Find...', shortcut: 'Ctrl+F', apart: true, choose: find('find') },
      { name: 'Find Next', shortcut: 'F3', choose: findNext },
      { name: 'Replace...', shortcut: 'Ctrl+H', choose: find('replace') },
    ];
  }

  // Files

  #open(path: string): void {
    const entry = entryAt(this.world.root, path);
    if (entry?.kind === 'file') this.#draft = new Draft(entry.text, path);
    else this.shell.toast(`There is no file '${nameOf(path)}'`);
  }

  #save(then?: () => void): void {
    const { path } = this.#draft;
    if (path === undefined) this.#saveAs(then);
    else this.#write(path, then);
  }

  #saveAs(then?: () => void): void {
    const { path } = this.#draft;
    this.#choosePath({
      mode: 'save',
      name: path === undefined ? 'untitled.txt' : nameOf(path),
      accept: chosen => this.#write(chosen, then),
    });
  }

  #write(path: string, then?: () => void): void {
    const name = nameOf(path);
    const folder = madeFolder(this.world.root, parentOf(path));
    const existing = folder?.entries[name];
    if (folder === undefined || existing?.kind === 'folder') {
      this.shell.toast(`'${name}' could not be saved there`);
      return;
    }
    folder.entries[name] = { ...existing, kind: 'file', text: this.#draft.state.text };
    this.#draft.savedAs(path);
    this.shell.toast(`Saved '${name}'`);
    then?.();
  }

  #choosePath(options: Pick<FileDialogOptions, 'mode' | 'name' | 'accept'>): void {
    const { root } = this.world;
    const { path } = this.#draft;
    // A new note goes to /Notes, which may not exist yet; others to their own folder, if it still exists.
    const folders = path === undefined ? [] : [parentOf(path), NOTES];
    const existing = folders.find(folder => folderAt(root, folder) !== undefined) ?? '/';
    const dialog = new FileDialog({
      ...options,
      root,
      folder: path === undefined ? NOTES : existing,
      close: this.dialogs.close,
      focus: key => this.shell.focus(key),
      accept: chosen => {
        this.dialogs.close();
        options.accept(chosen);
      },
    });
    this.dialogs.open(dialog.dialog);
  }

  /** Runs `then` at once, or after a question if there are unsaved changes. */
  #leave(then: () => void): void {
    if (!this.#draft.isChanged) {
      then();
      return;
    }
    this.dialogs.ask({
      title: 'Save changes?',
      text: `'${this.#draft.name}' has changes that are not saved.`,
      answers: [
        { name: 'Discard', choose: then },
        { name: 'Save', choose: () => this.#save(then) },
      ],
    });
  }
}
