// The actions of Files. Each changes the world and shows a toast; one that could lose something asks first.

import type { ShellServices } from '../../shell/app.ts';
import { growing, row } from '../../toolkit/boxes.ts';
import { label } from '../../toolkit/controls.ts';
import { editing, selectAll } from '../../toolkit/text-edit.ts';
import { entryAt, type Folder, folderAt, joined, nameOf, parentOf } from '../../world.ts';
import { type DialogAnswer, type DialogSlot, Form } from '../dialogs.ts';
import type { Browser } from './browser.ts';
import {
  copyEntry,
  emptyTrash,
  erase,
  freeName,
  isWithin,
  moveEntry,
  moveToTrash,
  nameFault,
  placeFault,
  restore,
  TRASH,
  titleOf,
} from './entries.ts';

interface Clip {
  readonly path: string;
  readonly cut: boolean;
}

interface NameFormOptions {
  readonly title: string;
  readonly name: string;
  readonly action: string;
  readonly fault: (name: string) => string | undefined;
  readonly accept: (name: string) => void;
}

export class FileActions {
  readonly #root: Folder;
  /** The entry that was cut or copied. */
  #clip: Clip | undefined;

  constructor(
    private readonly browser: Browser,
    private readonly shell: ShellServices,
    private readonly dialog: DialogSlot,
  ) {
    this.#root = browser.root;
  }

  get canPaste(): boolean {
    return this.#clip !== undefined;
  }

  open(path: string): void {
    const entry = entryAt(this.#root, path);
    if (entry?.kind === 'folder') this.browser.go(path);
    else if (entry !== undefined) this.shell.open('notes', path);
  }

  newFolder(folder: string): void {
    this.#askName({
      title: 'New folder',
      name: 'New folder',
      action: 'Create',
      fault: name => nameFault(this.#root, folder, name),
      accept: name => {
        const parent = folderAt(this.#root, folder);
        if (parent !== undefined) parent.entries[name] = { kind: 'folder', entries: {} };
        this.shell.toast(`Created folder '${name}'`);
        this.#chooseIfListed(joined(folder, name));
      },
    });
  }

  rename(path: string): void {
    if (this.#isFixed(path)) return;
    const [folder, old] = [parentOf(path), nameOf(path)];
    this.#askName({
      title: `Rename '${old}'`,
      name: old,
      action: 'Rename',
      fault: name => (name === old ? undefined : nameFault(this.#root, folder, name)),
      accept: name => {
        if (name === old) return;
        this.#move(path, joined(folder, name));
        this.shell.toast(`Renamed to '${name}'`);
      },
    });
  }

  remove(path: string): void {
    if (this.#isFixed(path)) return;
    const name = nameOf(path);
    if (isWithin(path, TRASH)) {
      this.#ask('Delete forever?', `'${name}' will be gone. This cannot be undone.`, {
        name: 'Delete',
        choose: () => {
          erase(this.#root, path);
          this.shell.toast(`Deleted '${name}'`);
        },
      });
      return;
    }
    this.#ask('Delete?', `Move '${name}' to the trash?`, {
      name: 'Delete',
      choose: () => this.#moveToTrash(path),
    });
  }

  restore(path: string): void {
    const to = restore(this.#root, path);
    if (to === undefined) this.shell.toast('A file is where its folder was');
    else this.shell.toast(`Restored '${nameOf(to)}' to ${titleOf(parentOf(to))}`);
  }

  emptyTrash(): void {
    const count = Object.keys(folderAt(this.#root, TRASH)?.entries ?? {}).length;
    if (count === 0) {
      this.shell.toast('The trash is empty');
      return;
    }
    const what = count === 1 ? 'one entry' : `all ${count} entries`;
    this.#ask('Empty the trash?', `Delete ${what} in the trash forever? This cannot be undone.`, {
      name: 'Empty',
      choose: () => {
        emptyTrash(this.#root);
        this.shell.toast('Emptied the trash');
      },
    });
  }

  copy(path: string): void {
    this.#clip = { path, cut: false };
    this.shell.toast(`Copied '${nameOf(path)}': paste it somewhere`);
  }

  cut(path: string): void {
    if (this.#isFixed(path)) return;
    this.#clip = { path, cut: true };
    this.shell.toast(`Cut '${nameOf(path)}': paste it somewhere`);
  }

  paste(folder: string): void {
    const clip = this.#clip;
    if (clip === undefined) return;
    if (clip.cut) {
      if (this.moveInto(clip.path, folder)) this.#clip = undefined;
      return;
    }
    const into = folderAt(this.#root, folder);
    const fault = placeFault(this.#root, clip.path, folder);
    if (fault !== undefined || into === undefined) {
      this.shell.toast(fault ?? '');
      return;
    }
    const to = joined(folder, freeName(into, nameOf(clip.path)));
    copyEntry(this.#root, clip.path, to);
    this.shell.toast(`Pasted '${nameOf(to)}' into ${titleOf(folder)}`);
    this.#chooseIfListed(to);
  }

  /** Returns true if the entry moves, at once or after a question about a name that is taken. */
  moveInto(path: string, folder: string): boolean {
    if (this.#isFixed(path)) return false;
    const fault = placeFault(this.#root, path, folder);
    if (fault !== undefined) {
      this.shell.toast(fault);
      return false;
    }
    const name = nameOf(path);
    const into = folderAt(this.#root, folder);
    if (parentOf(path) === folder || into === undefined) return false;
    const moveAs = (kept: string) => this.#moveWithToast(path, joined(folder, kept));
    if (folder === TRASH) this.#moveToTrash(path);
    else if (!Object.hasOwn(into.entries, name)) moveAs(name);
    else {
      const kept = freeName(into, name);
      const keep = { name: 'Keep both', choose: () => moveAs(kept) };
      const replace = { name: 'Replace', choose: () => moveAs(name) };
      const text = `There is already a '${name}' in ${titleOf(folder)}.`;
      // An entry cannot replace a folder that contains it.
      this.#ask('Replace?', text, ...(isWithin(path, joined(folder, name)) ? [] : [replace]), keep);
    }
    return true;
  }

  #moveToTrash(path: string): void {
    moveToTrash(this.#root, path);
    this.shell.toast(`Moved '${nameOf(path)}' to the trash`);
  }

  #moveWithToast(from: string, to: string): void {
    this.#move(from, to);
    this.shell.toast(`Moved '${nameOf(to)}' to ${titleOf(parentOf(to))}`);
  }

  #move(from: string, to: string): void {
    moveEntry(this.#root, from, to);
    this.browser.follow(from, to);
  }

  /** Selects a new entry if the list shows its folder. */
  #chooseIfListed(path: string): void {
    if (parentOf(path) === this.browser.folder) this.browser.choose(path);
  }

  /** The root and the trash cannot be moved, renamed or removed. */
  #isFixed(path: string): boolean {
    const fixed = path === '/' || path === TRASH;
    if (fixed) this.shell.toast(`${titleOf(path)} stays as it is`);
    return fixed;
  }

  #askName({ title, name, action, fault, accept }: NameFormOptions): void {
    const form = new Form({
      title,
      width: 168,
      gap: 7,
      margin: 7,
      action,
      fields: { Name: selectAll(editing(name)) },
      focus: 'Name',
      content: ({ field }) => [row([label('Name'), growing(field('Name'))])],
      submit: text => {
        const wrong = fault(text('Name'));
        if (wrong !== undefined) return wrong;
        this.dialog.close();
        accept(text('Name'));
        return undefined;
      },
      cancel: this.dialog.close,
    });
    this.dialog.open(form.dialog);
  }

  #ask(title: string, text: string, ...answers: readonly DialogAnswer[]): void {
    this.dialog.ask({ title, text, answers, width: 170 });
  }
}
