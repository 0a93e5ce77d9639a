// The Open and Save As dialogs. They change no file and return a path.

import type { Dialog } from '../shell/app.ts';
import { column, growing, row, sized, space } from '../toolkit/boxes.ts';
import { button, label, panel } from '../toolkit/controls.ts';
import { textField } from '../toolkit/field.ts';
import { listRow, rows } from '../toolkit/rows.ts';
import { scrolled } from '../toolkit/scroll.ts';
import { type Editing, editing, selectAll } from '../toolkit/text-edit.ts';
import type { Widget } from '../toolkit/widget.ts';
import { entryAt, type Folder, joined, parentOf } from '../world.ts';
import { questionDialog } from './dialogs.ts';
import { type FileListing, listing, nameSyntaxFault, titleOf } from './files/entries.ts';

export interface FileDialogOptions {
  readonly root: Folder;
  readonly mode: 'open' | 'save';
  /** The first folder. */
  readonly folder: string;
  readonly name?: string;
  /** Receives the path of an existing file, or of one to be written. */
  readonly accept: (path: string) => void;
  readonly close: () => void;
  readonly focus: (key: string) => void;
}

const LIST_HEIGHT = 70;
const NAME = 'Name';

export class FileDialog {
  readonly #options: FileDialogOptions;
  readonly #scroll = { offset: 0 };
  #folder: string;
  #name: Editing;
  #fault: string | undefined;
  /** The existing file that saving would replace; undefined while nothing is asked. */
  #replaced: string | undefined;

  constructor(options: FileDialogOptions) {
    this.#options = options;
    this.#folder = options.folder;
    this.#name = selectAll(editing(options.name ?? ''));
  }

  dialog(): Dialog {
    const { mode, close } = this.#options;
    if (this.#replaced !== undefined) return this.#askToReplace(this.#replaced);
    const accept = () => this.#accept();
    return {
      title: mode === 'open' ? 'Open' : 'Save As',
      width: 190,
      focus: NAME,
      accept,
      dismiss: close,
      content: column(
        [
          row([
            button('Up', { enabled: this.#folder !== '/', press: () => this.#go(parentOf(this.#folder)) }),
            growing(label(this.#folder)),
          ]),
          this.#list(),
          row([label(NAME), growing(this.#field())]),
          ...(this.#fault === undefined ? [] : [label(this.#fault, { warning: true, wrap: true })]),
          row([
            space(),
            button('Cancel', { press: close }),
            button(mode === 'open' ? 'Open' : 'Save', { primary: true, press: accept }),
          ]),
        ],
        { gap: 5, margin: 6 },
      ),
    };
  }

  #list(): Widget {
    const all = listing(this.#options.root, this.#folder).map(each => this.#row(each));
    const content = rows(all, label('Nothing is here.', { faint: true }));
    const view = scrolled(content, 'Files scroll', this.#scroll);
    return sized(column([panel(view, { field: true })]), { height: LIST_HEIGHT });
  }

  #row({ name, path, entry }: FileListing): Widget {
    const isFolder = entry.kind === 'folder';
    return listRow(name, {
      key: `entry ${path}`,
      icon: entry.kind,
      chosen: !isFolder && name === this.#name.text,
      press: () => {
        this.#fault = undefined;
        // A folder keeps the focus, so that Enter opens it.
        if (!isFolder) this.#chooseName(name);
      },
      double: () => (isFolder ? this.#go(path) : this.#accept()),
    });
  }

  #field(): Widget {
    return textField(NAME, this.#name, {
      change: state => {
        this.#name = state;
        this.#fault = undefined;
      },
      enter: () => this.#accept(),
    });
  }

  /** Selects the name, so that typing replaces it. */
  #chooseName(name: string): void {
    this.#name = selectAll(editing(name));
    this.#options.focus(NAME);
  }

  #go(folder: string): void {
    this.#folder = folder;
    this.#scroll.offset = 0;
    this.#fault = undefined;
    // The focused row does not exist in the new folder.
    this.#options.focus(NAME);
    if (this.#options.mode === 'open') this.#name = editing('');
  }

  #accept(): void {
    const { root, mode, accept } = this.#options;
    const name = this.#name.text.trim();
    const path = joined(this.#folder, name);
    this.#fault = nameSyntaxFault(name);
    if (this.#fault !== undefined) return;
    const entry = entryAt(root, path);
    if (entry?.kind === 'folder') this.#go(path);
    else if (mode === 'open' && entry === undefined) this.#fault = `There is no '${name}' here.`;
    else if (mode === 'save' && entry !== undefined) this.#replaced = path;
    else accept(path);
  }

  #askToReplace(path: string): Dialog {
    const back = () => {
      this.#replaced = undefined;
    };
    const name = this.#name.text.trim();
    const text = `There is already a '${name}' in ${titleOf(parentOf(path))}. Its text will be lost.`;
    const choose = () => {
      back();
      this.#options.accept(path);
    };
    return questionDialog({ title: 'Replace?', text, answers: [{ name: 'Replace', choose }] }, back);
  }
}
