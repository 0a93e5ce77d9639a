// Editing text: a value with a caret and a selection, and what each key does to it. Pure; nothing is drawn here.

export interface Editing {
  readonly text: string;
  /** Where the next character goes. */
  readonly caret: number;
  /** The other end of the selection; equal to the caret where nothing is selected. */
  readonly anchor: number;
  /** The first line that a text area shows; undefined where it follows the caret. */
  readonly top?: number;
}

export const editing = (text: string): Editing => ({ text, caret: text.length, anchor: text.length });

export const selectionOf = ({ caret, anchor }: Editing): readonly [from: number, to: number] =>
  caret < anchor ? [caret, anchor] : [anchor, caret];

export const selectedText = (state: Editing): string => state.text.slice(...selectionOf(state));

export const selectAll = ({ text }: Editing): Editing => ({ text, caret: text.length, anchor: 0 });

/** Puts text where the selection is. Control characters are dropped, line breaks too in a single line. */
export function insert(state: Editing, inserted: string, lines: boolean): Editing {
  const [from, to] = selectionOf(state);
  const clean = [...inserted].filter(each => each >= ' ' || (lines && each === '\n')).join('');
  const text = state.text.slice(0, from) + clean + state.text.slice(to);
  return at(text, from + clean.length);
}

/** The caret at a place; with `extend` the selection grows to there. */
export const moveTo = (state: Editing, caret: number, extend: boolean): Editing => {
  const place = Math.max(0, Math.min(state.text.length, caret));
  return { text: state.text, caret: place, anchor: extend ? state.anchor : place };
};

/** The word around a place: what a double click selects. */
export function selectWord({ text }: Editing, place: number): Editing {
  const isWord = (index: number): boolean => /\w/.test(text[index] ?? '');
  let [from, to] = [place, place];
  while (from > 0 && isWord(from - 1)) from -= 1;
  while (to < text.length && isWord(to)) to += 1;
  return { text, caret: to, anchor: from };
}

/** What a stroke makes of the text; undefined where it means nothing to an editor. */
export function afterStroke(state: Editing, stroke: string, lines: boolean): Editing | undefined {
  const extend = stroke.includes('shift+');
  const plain = stroke.replace('shift+', '');
  const [from, to] = selectionOf(state);
  const selected = from !== to;
  switch (plain) {
    case 'left':
      return moveTo(state, selected && !extend ? from : state.caret - 1, extend);
    case 'right':
      return moveTo(state, selected && !extend ? to : state.caret + 1, extend);
    case 'ctrl+left':
      return moveTo(state, wordStart(state.text, state.caret), extend);
    case 'ctrl+right':
      return moveTo(state, wordEnd(state.text, state.caret), extend);
    case 'home':
      return moveTo(state, lines ? lineStart(state.text, state.caret) : 0, extend);
    case 'end':
      return moveTo(state, lines ? lineEnd(state.text, state.caret) : state.text.length, extend);
    case 'ctrl+home':
      return moveTo(state, 0, extend);
    case 'ctrl+end':
      return moveTo(state, state.text.length, extend);
    case 'up':
      return lines ? moveTo(state, lineAbove(state.text, state.caret), extend) : undefined;
    case 'down':
      return lines ? moveTo(state, lineBelow(state.text, state.caret), extend) : undefined;
    case 'ctrl+a':
      return selectAll(state);
    case 'backspace':
      return removed(state, selected ? from : Math.max(0, from - 1), to);
    case 'delete':
      return removed(state, from, selected ? to : Math.min(state.text.length, to + 1));
    case 'enter':
      return lines ? insert(state, '\n', true) : undefined;
    default:
      return undefined;
  }
}

const at = (text: string, caret: number): Editing => ({ text, caret, anchor: caret });

const removed = ({ text }: Editing, from: number, to: number): Editing =>
  at(text.slice(0, from) + text.slice(to), from);

/** At the very start there is nothing before: a negative index would be read as 0. */
const lineStart = (text: string, place: number): number =>
  place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1;

function lineEnd(text: string, place: number): number {
  const end = text.indexOf('\n', place);
  return end < 0 ? text.length : end;
}

function lineAbove(text: string, place: number): number {
  const start = lineStart(text, place);
  if (start === 0) return 0;
  const above = lineStart(text, start - 1);
  return Math.min(above + place - start, start - 1);
}

function lineBelow(text: string, place: number): number {
  const end = lineEnd(text, place);
  if (end === text.length) return text.length;
  return Math.min(end + 1 + place - lineStart(text, place), lineEnd(text, end + 1));
}

function wordStart(text: string, place: number): number {
  let start = place;
  while (start > 0 && !/\w/.test(text[start - 1] ?? '')) start -= 1;
  while (start > 0 && /\w/.test(text[start - 1] ?? '')) start -= 1;
  return start;
}

function wordEnd(text: string, place: number): number {
  let end = place;
  while (end < text.length && !/\w/.test(text[end] ?? '')) end += 1;
  while (end < text.length && /\w/.test(text[end] ?? '')) end += 1;
  return end;
}
