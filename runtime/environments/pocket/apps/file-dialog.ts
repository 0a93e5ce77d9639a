// The Open and Save As dialogs. They change no file and return a path.

import type { Dialog } from '../shell/app.ts';
import { column, growing, row, sized } from '../toolkit/boxes.ts';
import { button, label, panel } from '../toolkit/controls.ts';
import { listRow, rows } from '../toolkit/rows.ts';
import { scrolled } from '../toolkit/scroll.ts';
import { editing, selectAll } from '../toolkit/text-edit.ts';
import type { Widget } from '../toolkit/widget.ts';
import { entryAt, type Folder, joined, nameOf, parentOf } from '../world.ts';
import { Form, questionDialog } from './app.ts';
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

export class FileDialog {
  readonly #options: FileDialogOptions;
  readonly #form: Form<'Name'>;
  readonly #scroll = { offset: 0 };
  #folder: string;
  /** The existing file that saving would replace; undefined while there is no question. */
  #replaced: string | undefined;

  constructor(options: FileDialogOptions) {
    this.#options = options;
    this.#folder = options.folder;
    this.#form = new Form({
      title: options.mode === 'open' ? 'Open' : 'Save As',
      width: 190,
      gap: 5,
      margin: 6,
      action: options.mode === 'open' ? 'Open' : 'Save',
      fields: { Name: selectAll(editing(options.name ?? '')) },
      focus: 'Name',
      content: ({ field }) => [
        row([
          button('Up', { enabled: this.#folder !== '/', press: () => this.#go(parentOf(this.#folder)) }),
          growing(label(this.#folder)),
        ]),
        this.#list(),
        row([label('Name'), growing(field('Name'))]),
      ],
      submit: text => this.#submit(text('Name')),
      cancel: options.close,
    });
  }

  readonly dialog = (): Dialog =>
    this.#replaced === undefined ? this.#form.dialog() : this.#askToReplace(this.#replaced);

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
      chosen: !isFolder && name === this.#form.value('Name').text,
      press: () => {
        this.#form.clearFault();
        // A folder keeps the focus, so that Enter opens it.
        if (!isFolder) this.#chooseName(name);
      },
      double: () => (isFolder ? this.#go(path) : this.#form.submit()),
    });
  }

  /** Selects the name, so that typing replaces it. */
  #chooseName(name: string): void {
    this.#form.set('Name', selectAll(editing(name)));
    this.#options.focus('Name');
  }

  #go(folder: string): void {
    this.#folder = folder;
    this.#scroll.offset = 0;
    this.#form.clearFault();
    // The focused row does not exist in the new folder.
    this.#options.focus('Name');
    if (this.#options.mode === 'open') this.#form.set('Name', editing(''));
  }

  #submit(name: string): string | undefined {
    const { root, mode, accept } = this.#options;
    const fault = nameSyntaxFault(name);
    if (fault !== undefined) return fault;
    const path = joined(this.#folder, name);
    const entry = entryAt(root, path);
    if (entry?.kind === 'folder') this.#go(path);
    else if (mode === 'open' && entry === undefined) return `There is no '${name}' here.`;
    else if (mode === 'save' && entry !== undefined) this.#replaced = path;
    else accept(path);
    return undefined;
  }

  #askToReplace(path: string): Dialog {
    const back = () => {
      this.#replaced = undefined;
    };
    const name = nameOf(path);
    const text = `There is already a '${name}' in ${titleOf(parentOf(path))}. Its text will be lost.`;
    const choose = () => {
      back();
      this.#options.accept(path);
    };
    return questionDialog({ title: 'Replace?', text, answers: [{ name: 'Replace', choose }] }, back);
  }
}
