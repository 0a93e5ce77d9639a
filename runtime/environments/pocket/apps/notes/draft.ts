// An open note: its text, whether it is saved, and its undo history.

import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { nameOf } from '../../world.ts';

const MAX_UNDO_STEPS = 100;

export class Draft {
  /** Undefined until it is first saved. */
  path: string | undefined;
  #state: Editing;
  #saved: string;
  readonly #past: Editing[] = [];
  #future: Editing[] = [];

  constructor(text = '', path?: string) {
    this.path = path;
    this.#state = { ...editing(text), caret: 0, anchor: 0 };
    this.#saved = text;
  }

  get state(): Editing {
    return this.#state;
  }

  get name(): string {
    return this.path === undefined ? 'untitled' : nameOf(this.path);
  }

  get isChanged(): boolean {
    return this.#state.text !== this.#saved;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Adds an undo step if the text changes; moving the caret adds none. */
  change(state: Editing): void {
    if (state.text !== this.#state.text) {
      this.#past.push(this.#state);
      if (this.#past.length > MAX_UNDO_STEPS) this.#past.shift();
      this.#future = [];
    }
    this.#state = state;
  }

  undo(): void {
    const before = this.#past.pop();
    if (before === undefined) return;
    this.#future.push(this.#state);
    this.#state = before;
  }

  redo(): void {
    const after = this.#future.pop();
    if (after === undefined) return;
    this.#past.push(this.#state);
    this.#state = after;
  }

  /** Marks the current text as saved. */
  savedAs(path: string): void {
    this.path = path;
    this.#saved = this.#state.text;
  }
}
