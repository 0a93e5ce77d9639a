// The bar above a note that finds and replaces text, ignoring case. A match is found by selecting it.

import { column, growing, sized } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import {
  type Editing,
  editing,
  insert,
  MAX_TEXT_LENGTH,
  selectAll,
  selectedText,
  selectionOf,
} from '../../toolkit/text-edit.ts';
import type { Widget } from '../../toolkit/widget.ts';
import { labelled } from '../app.ts';
import type { Draft } from './draft.ts';

export const FIND = 'Find';
const LABEL_WIDTH = 40;

export class FindBar {
  #mode: 'find' | 'replace' | undefined;
  #wanted: Editing = editing('');
  #replacement: Editing = editing('');

  constructor(private readonly toast: (text: string) => void) {}

  get isOpen(): boolean {
    return this.#mode !== undefined;
  }

  /** Searches for the selected text, unless it has several lines. */
  open(mode: 'find' | 'replace', draft: Draft): void {
    this.#mode = mode;
    const selected = selectedText(draft.state);
    const text = selected === '' || selected.includes('\n') ? this.#wanted.text : selected;
    this.#wanted = selectAll(editing(text));
  }

  close(): void {
    this.#mode = undefined;
  }

  next(draft: Draft): void {
    this.#apply(draft, next(draft.state, this.#wanted.text));
  }

  view(draft: Draft): Widget {
    const find = textField(FIND, this.#wanted, {
      change: state => {
        this.#wanted = state;
      },
      enter: () => this.next(draft),
    });
    const first = labelled(
      'Find',
      LABEL_WIDTH,
      growing(find),
      sized(label(tally(draft.state, this.#wanted.text), { faint: true }), { width: 42 }),
      button('Next', { press: () => this.next(draft) }),
      button('Done', { press: () => this.close() }),
    );
    return column(this.#mode === 'replace' ? [first, this.#replaceRow(draft)] : [first], { gap: 2 });
  }

  #replaceRow(draft: Draft): Widget {
    const once = () => this.#apply(draft, replace(draft.state, this.#wanted.text, this.#replacement.text));
    const replacement = textField('Replace with', this.#replacement, {
      change: state => {
        this.#replacement = state;
      },
      enter: once,
    });
    return labelled(
      'Replace',
      LABEL_WIDTH,
      growing(replacement),
      button('Replace', { press: once }),
      button('Replace all', { press: () => this.#replaceAll(draft) }),
    );
  }

  /** `undefined` means that there is no match. */
  #apply(draft: Draft, state: Editing | undefined): void {
    if (state === undefined) this.toast(`'${this.#wanted.text}' is not in this note`);
    else draft.change(state);
  }

  #replaceAll(draft: Draft): void {
    const [wanted, replacement] = [this.#wanted.text, this.#replacement.text];
    if (exceedsLimit(draft.state.text, wanted, replacement)) {
      this.toast(`The note would exceed ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters`);
      return;
    }
    const all = replaceAll(draft.state, wanted, replacement);
    this.#apply(draft, all);
    if (all !== undefined) this.toast('Replaced everywhere');
  }
}

function matches(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  if (wanted === '') return found;
  const [within, what] = [text.toLowerCase(), wanted.toLowerCase()];
  for (let at = within.indexOf(what); at >= 0; at = within.indexOf(what, at + what.length)) found.push(at);
  return found;
}

const isSelected = (state: Editing, wanted: string): boolean =>
  wanted !== '' && selectedText(state).toLowerCase() === wanted.toLowerCase();

/** Selects the next match after the selection, or the first; undefined without a match. */
function next(state: Editing, wanted: string): Editing | undefined {
  const all = matches(state.text, wanted);
  const [from, to] = selectionOf(state);
  const start = isSelected(state, wanted) ? to : from;
  const at = all.find(each => each >= start) ?? all[0];
  return at === undefined ? undefined : { text: state.text, caret: at + wanted.length, anchor: at };
}

/** Replaces the selected match and selects the next. */
function replace(state: Editing, wanted: string, replacement: string): Editing | undefined {
  if (!isSelected(state, wanted)) return next(state, wanted);
  const replaced = insert(state, replacement, true);
  return next(replaced, wanted) ?? replaced;
}

/** True if the text would be too long after *Replace all*. A text that is too long already may keep its length. */
function exceedsLimit(text: string, wanted: string, replacement: string): boolean {
  const length = text.length + matches(text, wanted).length * (replacement.length - wanted.length);
  return length > Math.max(MAX_TEXT_LENGTH, text.length);
}

/** Undefined without a match. */
function replaceAll(state: Editing, wanted: string, replacement: string): Editing | undefined {
  const all = matches(state.text, wanted);
  if (all.length === 0) return undefined;
  let [text, from] = ['', 0];
  for (const at of all) {
    text += state.text.slice(from, at) + replacement;
    from = at + wanted.length;
  }
  return { text: text + state.text.slice(from), caret: 0, anchor: 0 };
}

/** '2 of 5' while the second match is selected. */
function tally(state: Editing, wanted: string): string {
  const all = matches(state.text, wanted);
  if (wanted === '') return '';
  if (all.length === 0) return 'none';
  const current = isSelected(state, wanted) ? all.indexOf(selectionOf(state)[0]) : -1;
  return current < 0 ? `${all.length} found` : `${current + 1} of ${all.length}`;
}
