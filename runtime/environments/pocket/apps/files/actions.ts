// What the Files window does to entries: each action changes the world, asks first where something could be lost, and says
// what was done. What is asked stands in `dialog` until it is answered.

import type { Dialog, ShellServices } from '../../shell/app.ts';
import { entryAt, type Folder, folderAt, joined, nameOf, parentOf } from '../../world.ts';
import { type Answer, question } from '../dialogs.ts';
import type { Browser } from './browser.ts';
import {
  copyEntry,
  emptyTrash,
  erase,
  freeName,
  isWithin,
  moveEntry,
  nameFault,
  placeFault,
  restore,
  TRASH,
  throwAway,
  titleOf,
} from './entries.ts';
import { Naming } from './naming.ts';

interface Held {
  readonly path: string;
  readonly cut: boolean;
}

export class Actions {
  readonly #browser: Browser;
  readonly #root: Folder;
  readonly #shell: ShellServices;
  #ask: (() => Dialog) | undefined;
  /** What was cut or copied. */
  #held: Held | undefined;

  constructor(browser: Browser, shell: ShellServices) {
    this.#browser = browser;
    this.#root = browser.root;
    this.#shell = shell;
  }

  get dialog(): Dialog | undefined {
    return this.#ask?.();
  }

  get canPaste(): boolean {
    return this.#held !== undefined;
  }

  open(path: string): void {
    const entry = entryAt(this.#root, path);
    if (entry?.kind === 'folder') this.#browser.go(path);
    else if (entry !== undefined) this.#shell.open('notes', path);
  }

  newFolder(folder: string): void {
    this.#name({
      title: 'New folder',
      name: 'New folder',
      act: 'Create',
      fault: name => nameFault(this.#root, folder, name),
      accept: name => {
        const parent = folderAt(this.#root, folder);
        if (parent !== undefined) parent.entries[name] = { kind: 'folder', entries: {} };
        this.#shell.toast(`Created folder '${name}'`);
        this.#show(joined(folder, name));
      },
    });
  }

  rename(path: string): void {
    if (this.#isFixed(path)) return;
    const [folder, old] = [parentOf(path), nameOf(path)];
    this.#name({
      title: `Rename '${old}'`,
      name: old,
      act: 'Rename',
      fault: name => (name === old ? undefined : nameFault(this.#root, folder, name)),
      accept: name => {
        if (name === old) return;
        this.#move(path, joined(folder, name));
        this.#shell.toast(`Renamed to '${name}'`);
      },
    });
  }

  remove(path: string): void {
    if (this.#isFixed(path)) return;
    const name = nameOf(path);
    if (isWithin(path, TRASH)) {
      this.#question('Delete forever?', `'${name}' will be gone. This cannot be undone.`, {
        name: 'Delete',
        choose: () => {
          erase(this.#root, path);
          this.#shell.toast(`Deleted '${name}'`);
        },
      });
      return;
    }
    this.#question('Delete?', `Move '${name}' to the trash?`, {
      name: 'Delete',
      choose: () => this.#throwAway(path),
    });
  }

  restore(path: string): void {
    const to = restore(this.#root, path);
    if (to === undefined) this.#shell.toast('A file is where its folder was');
    else this.#shell.toast(`Restored '${nameOf(to)}' to ${titleOf(parentOf(to))}`);
  }

  emptyTrash(): void {
    const count = Object.keys(folderAt(this.#root, TRASH)?.entries ?? {}).length;
    if (count === 0) {
      this.#shell.toast('The trash is empty');
      return;
    }
    const what = count === 1 ? 'one entry' : `all ${count} entries`;
    this.#question('Empty the trash?', `Delete ${what} in the trash forever? This cannot be undone.`, {
      name: 'Empty',
      choose: () => {
        emptyTrash(this.#root);
        this.#shell.toast('Emptied the trash');
      },
    });
  }

  copy(path: string): void {
    this.#held = { path, cut: false };
    this.#shell.toast(`Copied '${nameOf(path)}': paste it somewhere`);
  }

  cut(path: string): void {
    if (this.#isFixed(path)) return;
    this.#held = { path, cut: true };
    this.#shell.toast(`Cut '${nameOf(path)}': paste it somewhere`);
  }

  paste(folder: string): void {
    const held = this.#held;
    if (held === undefined) return;
    if (held.cut) {
      if (this.moveInto(held.path, folder)) this.#held = undefined;
      return;
    }
    const into = folderAt(this.#root, folder);
    const fault = placeFault(this.#root, held.path, folder);
    if (fault !== undefined || into === undefined) {
      this.#shell.toast(fault ?? '');
      return;
    }
    const to = joined(folder, freeName(into, nameOf(held.path)));
    copyEntry(this.#root, held.path, to);
    this.#shell.toast(`Pasted '${nameOf(to)}' into ${titleOf(folder)}`);
    this.#show(to);
  }

  /** Whether the entry is on its way: a taken name is asked about. */
  moveInto(path: string, folder: string): boolean {
    if (this.#isFixed(path)) return false;
    const fault = placeFault(this.#root, path, folder);
    if (fault !== undefined) {
      this.#shell.toast(fault);
      return false;
    }
    const name = nameOf(path);
    const into = folderAt(this.#root, folder);
    if (parentOf(path) === folder || into === undefined) return false;
    if (folder === TRASH) this.#throwAway(path);
    else if (!Object.hasOwn(into.entries, name)) this.#moveSaying(path, joined(folder, name));
    else {
      const kept = freeName(into, name);
      const text = `There is already a '${name}' in ${titleOf(folder)}.`;
      const keep = { name: 'Keep both', choose: () => this.#moveSaying(path, joined(folder, kept)) };
      // What is moved may lie in what it would take the place of.
      const replace = { name: 'Replace', choose: () => this.#moveSaying(path, joined(folder, name)) };
      this.#question('Replace?', text, ...(isWithin(path, joined(folder, name)) ? [] : [replace]), keep);
    }
    return true;
  }

  #throwAway(path: string): void {
    throwAway(this.#root, path);
    this.#shell.toast(`Moved '${nameOf(path)}' to the trash`);
  }

  #moveSaying(from: string, to: string): void {
    this.#move(from, to);
    this.#shell.toast(`Moved '${nameOf(to)}' to ${titleOf(parentOf(to))}`);
  }

  #move(from: string, to: string): void {
    moveEntry(this.#root, from, to);
    this.#browser.follow(from, to);
  }

  /** Chooses a new entry where the list shows it. */
  #show(path: string): void {
    if (parentOf(path) === this.#browser.folder) this.#browser.choose(path);
  }

  /** The root and the trash stay where they are. */
  #isFixed(path: string): boolean {
    const fixed = path === '/' || path === TRASH;
    if (fixed) this.#shell.toast(`${titleOf(path)} stays as it is`);
    return fixed;
  }

  #name(options: Omit<ConstructorParameters<typeof Naming>[0], 'close'>): void {
    const close = () => {
      this.#ask = undefined;
    };
    const naming = new Naming({
      ...options,
      close,
      accept: name => {
        close();
        options.accept(name);
      },
    });
    this.#ask = () => naming.dialog();
  }

  #question(title: string, text: string, ...answers: readonly Answer[]): void {
    const cancel = () => {
      this.#ask = undefined;
    };
    const closing = answers.map(({ name, choose }) => ({
      name,
      choose: () => {
        cancel();
        choose();
      },
    }));
    this.#ask = () => question({ title, text, answers: closing, cancel, width: 170 });
  }
}
