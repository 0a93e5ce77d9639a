// Notes: an editor of text files beside a list of the notes in /Notes. This file lays the window out and looks after files:
// what is opened and saved, and that nothing unsaved is lost unasked.

import type { App, Dialog, ShellServices } from '../../shell/app.ts';
import { menuBar } from '../../toolkit/bars.ts';
import { column, row, sized, space } from '../../toolkit/boxes.ts';
import { label, panel } from '../../toolkit/controls.ts';
import { textArea } from '../../toolkit/field.ts';
import { listRow, rows } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import type { KeyStroke, UiServices, Widget } from '../../toolkit/widget.ts';
import { entryAt, nameOf, type PocketWorld, parentOf } from '../../world.ts';
import { question } from '../dialogs.ts';
import { FileDialog, type FileDialogOptions, firstFolder } from '../file-dialog.ts';
import { type FileListing, listed, madeFolder } from '../files/entries.ts';
import { Draft } from './draft.ts';
import { FIND, FindBar } from './find-bar.ts';
import { type Commands, commandMenus, commandOf } from './menus.ts';

const TEXT = 'Text';
const NOTES = '/Notes';
const LIST_WIDTH = 80;

export class NotesApp implements App {
  readonly id = 'notes';
  readonly name = 'Notes';
  readonly icon = 'notes';
  readonly size = { width: 276, height: 194 };
  readonly focus = TEXT;
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  readonly #findBar: FindBar;
  #draft = new Draft();
  #ask: (() => Dialog) | undefined;
  #listOffset = 0;

  constructor(world: PocketWorld, shell: ShellServices) {
    this.#world = world;
    this.#shell = shell;
    this.#findBar = new FindBar(text => shell.toast(text));
  }

  title(): string {
    return `Notes - ${this.#draft.name}${this.#draft.isChanged ? '*' : ''}`;
  }

  dialog(): Dialog | undefined {
    return this.#ask?.();
  }

  show(path: string): void {
    this.#shell.focus(TEXT);
    if (path !== this.#draft.path) this.#leave(() => this.#open(path));
  }

  mayClose(): boolean {
    if (!this.#draft.isChanged) return true;
    this.#leave(() => {
      this.#draft = new Draft();
      this.#shell.close(this.id);
    });
    return false;
  }

  view(): Widget {
    const draft = this.#draft;
    const text = textArea(TEXT, draft.state, { change: state => draft.change(state) });
    return column(
      [
        menuBar(this.#menus),
        column(
          [
            ...(this.#findBar.isOpen ? [this.#findBar.view(draft)] : []),
            row([this.#list(), text], { gap: 3, grow: 1 }),
            this.#status(),
          ],
          { gap: 2, margin: 3, grow: 1 },
        ),
      ],
      { gap: 0 },
    );
  }

  #list(): Widget {
    const notes = listed(this.#world.root, NOTES, 'file');
    const content =
      notes.length === 0
        ? column([label('No notes yet', { faint: true })], { margin: 4 })
        : rows(notes.map(note => this.#note(note)));
    const view = scrolled(content, {
      key: 'Notes scroll',
      offset: this.#listOffset,
      change: offset => {
        this.#listOffset = offset;
      },
    });
    return sized(column([panel(view, { field: true })]), { width: LIST_WIDTH });
  }

  #note({ name, path }: FileListing): Widget {
    return listRow(name, {
      key: `note ${path}`,
      chosen: path === this.#draft.path,
      press: () => this.show(path),
    });
  }

  #status(): Widget {
    const { text, caret } = this.#draft.state;
    const before = text.slice(0, caret).split('\n');
    const words = text.split(/\s+/).filter(word => word !== '').length;
    return row([
      label(`Line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`, { faint: true }),
      space(),
      label(words === 1 ? '1 word' : `${words} words`, { faint: true }),
    ]);
  }

  // Commands

  get #menus() {
    const menus = commandMenus(this.#draft, this.#commands);
    // A menu has the focus while it is open; what it does mostly concerns the text.
    return menus.map(({ name, items }) => ({
      name,
      items: () =>
        items().map(item => ({
          ...item,
          choose: (ui: UiServices) => {
            ui.focus(TEXT);
            item.choose(ui);
          },
        })),
    }));
  }

  get #commands(): Commands {
    const find = (what: 'find' | 'replace') => (ui: UiServices) => {
      this.#findBar.open(what, this.#draft);
      ui.focus(FIND);
    };
    return {
      create: () =>
        this.#leave(() => {
          this.#draft = new Draft();
        }),
      open: () => this.#leave(() => this.#choosePath({ mode: 'open', accept: path => this.#open(path) })),
      save: () => this.#save(),
      saveAs: () => this.#saveAs(),
      close: () =>
        this.#leave(() => {
          this.#draft = new Draft();
        }),
      find: find('find'),
      findNext: ui => (this.#findBar.isOpen ? this.#findBar.next(this.#draft) : find('find')(ui)),
      replace: find('replace'),
    };
  }

  stroke(stroke: KeyStroke, ui: UiServices): boolean {
    if (stroke === 'esc' && this.#findBar.isOpen) {
      this.#findBar.close();
      ui.focus(TEXT);
      return true;
    }
    const command = commandOf(commandMenus(this.#draft, this.#commands), stroke);
    command?.choose(ui);
    return command !== undefined;
  }

  // Files

  #open(path: string): void {
    const entry = entryAt(this.#world.root, path);
    if (entry?.kind === 'file') this.#draft = new Draft(entry.text, path);
    else this.#shell.toast(`There is no file '${nameOf(path)}'`);
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
    const folder = madeFolder(this.#world.root, parentOf(path));
    const there = folder?.entries[nameOf(path)];
    if (folder === undefined || there?.kind === 'folder') {
      this.#shell.toast(`'${nameOf(path)}' could not be saved there`);
      return;
    }
    folder.entries[nameOf(path)] = { ...there, kind: 'file', text: this.#draft.state.text };
    this.#draft.savedAs(path);
    this.#shell.toast(`Saved '${nameOf(path)}'`);
    then?.();
  }

  #choosePath({ mode, name, accept }: Pick<FileDialogOptions, 'mode' | 'name' | 'accept'>): void {
    const { root } = this.#world;
    const close = () => {
      this.#ask = undefined;
    };
    const { path } = this.#draft;
    const dialog = new FileDialog({
      root,
      mode,
      ...(name !== undefined && { name }),
      // A first note makes the folder of notes.
      folder: path === undefined ? NOTES : firstFolder(root, parentOf(path), NOTES),
      close,
      focus: key => this.#shell.focus(key),
      accept: chosen => {
        close();
        accept(chosen);
      },
    });
    this.#ask = () => dialog.dialog();
  }

  /** Goes on at once where nothing is unsaved, else when the question is answered. */
  #leave(then: () => void): void {
    if (!this.#draft.isChanged) {
      then();
      return;
    }
    const cancel = () => {
      this.#ask = undefined;
    };
    const answer = (name: string, act: () => void) => ({
      name,
      choose: () => {
        cancel();
        act();
      },
    });
    const answers = [answer('Discard', then), answer('Save', () => this.#save(then))];
    const text = `'${this.#draft.name}' has changes that are not saved.`;
    this.#ask = () => question({ title: 'Save changes?', text, answers, cancel });
  }
}
