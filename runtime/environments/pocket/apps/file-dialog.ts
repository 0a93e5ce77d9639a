// The dialog in which a file is chosen: to open one that is there, or to save under a name. It changes no file; it answers
// with a path.

import type { Dialog } from '../shell/app.ts';
import { column, growing, row, sized, space } from '../toolkit/boxes.ts';
import { button, label, panel } from '../toolkit/controls.ts';
import { textField } from '../toolkit/field.ts';
import { listRow, rows } from '../toolkit/rows.ts';
import { scrolled } from '../toolkit/scroll.ts';
import { type Editing, editing, selectAll } from '../toolkit/text-edit.ts';
import type { Widget } from '../toolkit/widget.ts';
import { entryAt, type Folder, folderAt, joined, parentOf } from '../world.ts';
import { question } from './dialogs.ts';
import { type FileListing, formFault, listing, titleOf } from './files/entries.ts';

export interface FileDialogOptions {
  readonly root: Folder;
  readonly mode: 'open' | 'save';
  /** Where it starts. */
  readonly folder: string;
  readonly name?: string;
  /** Gets the path of a file: one that exists, or one to be written. */
  readonly accept: (path: string) => void;
  readonly close: () => void;
  readonly focus: (key: string) => void;
}

const LIST_HEIGHT = 70;
const NAME = 'Name';

export class FileDialog {
  readonly #options: FileDialogOptions;
  #folder: string;
  #name: Editing;
  #fault: string | undefined;
  #offset = 0;
  /** The existing file that would be written over. */
  #over: string | undefined;

  constructor(options: FileDialogOptions) {
    this.#options = options;
    this.#folder = options.folder;
    this.#name = selectAll(editing(options.name ?? ''));
  }

  dialog(): Dialog {
    const { mode, close } = this.#options;
    if (this.#over !== undefined) return this.#overwriting(this.#over);
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
    const all = listing(this.#options.root, this.#folder);
    const content =
      all.length === 0 ? label('Nothing is here.', { faint: true }) : rows(all.map(each => this.#row(each)));
    const view = scrolled(content, {
      key: 'Files scroll',
      offset: this.#offset,
      change: offset => {
        this.#offset = offset;
      },
    });
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
        // A folder keeps the keyboard: Enter opens it.
        if (!isFolder) this.#take(name);
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

  /** What is typed next takes the place of a name that was chosen. */
  #take(name: string): void {
    this.#name = selectAll(editing(name));
    this.#options.focus(NAME);
  }

  #go(folder: string): void {
    this.#folder = folder;
    this.#offset = 0;
    this.#fault = undefined;
    // The row that was pressed is not there any more.
    this.#options.focus(NAME);
    if (this.#options.mode === 'open') this.#name = editing('');
  }

  #accept(): void {
    const { root, mode, accept } = this.#options;
    const name = this.#name.text.trim();
    const path = joined(this.#folder, name);
    this.#fault = formFault(name);
    if (this.#fault !== undefined) return;
    const there = entryAt(root, path);
    if (there?.kind === 'folder') this.#go(path);
    else if (mode === 'open' && there === undefined) this.#fault = `There is no '${name}' here.`;
    else if (mode === 'save' && there !== undefined) this.#over = path;
    else accept(path);
  }

  #overwriting(path: string): Dialog {
    const back = () => {
      this.#over = undefined;
    };
    const name = this.#name.text.trim();
    const text = `There is already a '${name}' in ${titleOf(parentOf(path))}. Its text will be lost.`;
    const replace = () => {
      back();
      this.#options.accept(path);
    };
    return question({
      title: 'Replace?',
      text,
      answers: [{ name: 'Replace', choose: replace }],
      cancel: back,
    });
  }
}

/** The folder a dialog starts in: the first of some that exists, else the root. */
export const firstFolder = (root: Folder, ...paths: readonly string[]): string =>
  paths.find(path => folderAt(root, path) !== undefined) ?? '/';
