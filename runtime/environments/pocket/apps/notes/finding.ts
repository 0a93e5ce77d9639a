// Finding and replacing in a text, whatever the case. Pure functions over an Editing: a match found is selected.

import { type Editing, insert, selectedText, selectionOf } from '../../toolkit/text-edit.ts';

function matches(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  if (wanted === '') return found;
  const [within, what] = [text.toLowerCase(), wanted.toLowerCase()];
  for (let at = within.indexOf(what); at >= 0; at = within.indexOf(what, at + what.length)) found.push(at);
  return found;
}

const isSelected = (state: Editing, wanted: string): boolean =>
  wanted !== '' && selectedText(state).toLowerCase() === wanted.toLowerCase();

/** The next match behind the selection, or the first of all; undefined where there is none. */
export function next(state: Editing, wanted: string): Editing | undefined {
  const all = matches(state.text, wanted);
  const [from, to] = selectionOf(state);
  const start = isSelected(state, wanted) ? to : from;
  const at = all.find(each => each >= start) ?? all[0];
  return at === undefined ? undefined : { text: state.text, caret: at + wanted.length, anchor: at };
}

/** Replaces the match that is selected, and selects the next. */
export function replace(state: Editing, wanted: string, by: string): Editing | undefined {
  if (!isSelected(state, wanted)) return next(state, wanted);
  const replaced = insert(state, by, true);
  return next(replaced, wanted) ?? replaced;
}

export function replaceAll(state: Editing, wanted: string, by: string): Editing {
  let [text, from] = ['', 0];
  for (const at of matches(state.text, wanted)) {
    text += state.text.slice(from, at) + by;
    from = at + wanted.length;
  }
  text += state.text.slice(from);
  return { text, caret: 0, anchor: 0 };
}

/** As '2 of 5', where the second match is selected. */
export function tally(state: Editing, wanted: string): string {
  const all = matches(state.text, wanted);
  if (wanted === '') return '';
  if (all.length === 0) return 'none';
  const current = isSelected(state, wanted) ? all.indexOf(selectionOf(state)[0]) : -1;
  return current < 0 ? `${all.length} found` : `${current + 1} of ${all.length}`;
}
