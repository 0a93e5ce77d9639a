// The bar above a note that finds and replaces text, ignoring case. A match is found by selecting it.

import { sum } from '../../../../core/sum.ts';
import { column, growing, sized } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import {
  type Editing,
  edited,
  editing,
  insert,
  MAX_TEXT_LENGTH,
  maxLength,
  select,
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
    const once = () => this.#replace(draft);
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

  #replace(draft: Draft): void {
    const [wanted, replacement] = [this.#wanted.text, this.#replacement.text];
    const replaced = isSelected(draft.state, wanted) ? [selectionOf(draft.state)] : [];
    if (this.#fits(draft.state, replaced, replacement))
      this.#apply(draft, replace(draft.state, wanted, replacement));
  }

  #replaceAll(draft: Draft): void {
    const [wanted, replacement] = [this.#wanted.text, this.#replacement.text];
    if (!this.#fits(draft.state, matches(draft.state.text, wanted), replacement)) return;
    const all = replaceAll(draft.state, wanted, replacement);
    this.#apply(draft, all);
    if (all !== undefined) this.toast('Replaced everywhere');
  }

  #fits(state: Editing, replaced: readonly Match[], replacement: string): boolean {
    const fits = !exceedsLimit(state, replaced, replacement);
    if (!fits) this.toast(`The note would exceed ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters`);
    return fits;
  }
}

type Match = readonly [from: number, to: number];

function matches(text: string, wanted: string): readonly Match[] {
  if (wanted === '') return [];
  // Letters in the other case may have another length, so the text itself is searched.
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length]);
}

function isSelected(state: Editing, wanted: string): boolean {
  const selected = selectedText(state);
  const [first] = matches(selected, wanted);
  return first?.[0] === 0 && first[1] === selected.length;
}

/** Selects the next match after the selection, or the first; undefined without a match. */
function next(state: Editing, wanted: string): Editing | undefined {
  const all = matches(state.text, wanted);
  const [from, to] = selectionOf(state);
  const start = isSelected(state, wanted) ? to : from;
  const match = all.find(([at]) => at >= start) ?? all[0];
  return match && select(state, ...match);
}

/** Replaces the selected match and selects the next. */
function replace(state: Editing, wanted: string, replacement: string): Editing | undefined {
  if (!isSelected(state, wanted)) return next(state, wanted);
  const replaced = insert(state, replacement, true);
  return next(replaced, wanted) ?? replaced;
}

/** True if the text would be too long with these matches replaced. */
function exceedsLimit(state: Editing, replaced: readonly Match[], replacement: string): boolean {
  const added = sum(replaced.map(([from, to]) => replacement.length - (to - from)));
  return state.text.length + added > maxLength(state);
}

/** Undefined without a match. */
function replaceAll(state: Editing, wanted: string, replacement: string): Editing | undefined {
  const all = matches(state.text, wanted);
  if (all.length === 0) return undefined;
  let [text, from] = ['', 0];
  for (const [start, end] of all) {
    text += state.text.slice(from, start) + replacement;
    from = end;
  }
  return edited(state, text + state.text.slice(from), 0);
}

/** '2 of 5' while the second match is selected. */
function tally(state: Editing, wanted: string): string {
  const all = matches(state.text, wanted);
  if (wanted === '') return '';
  if (all.length === 0) return 'none';
  const current = isSelected(state, wanted) ? all.findIndex(([at]) => at === selectionOf(state)[0]) : -1;
  return current < 0 ? `${all.length} found` : `${current + 1} of ${all.length}`;
}
