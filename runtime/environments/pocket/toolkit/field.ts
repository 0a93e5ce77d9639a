// Text fields (one line) and text areas (many lines) over an Editing that the application owns.

import type { Box, Point } from '../../../core/screen.ts';
import { box, inset, right } from '../../box.ts';
import { CAP_HEIGHT, indexAt, LINE_HEIGHT, textWidth } from '../font.ts';
import { CONTROL_HEIGHT } from './controls.ts';
import { BAR_WIDTH, scrollBar } from './scroll.ts';
import {
  afterLineStroke,
  afterStroke,
  type Editing,
  insert,
  lastPlace,
  lineAt,
  linesOf,
  moveTo,
  selectAll,
  selectedText,
  selectionOf,
  selectParagraph,
  selectWord,
  type TextLine,
} from './text-edit.ts';
import { type EventHandlers, extendWidget, type MenuItem, type UiServices, type Widget } from './widget.ts';

interface FieldOptions {
  /** Placeholder of an empty field. */
  readonly hint?: string;
  readonly change: (state: Editing) => void;
  readonly enter?: () => void;
}

const PADDING = 3;

/** The space for lines; a text area leaves some for its scroll bar. */
const lineSpace = (area: Box, multiline: boolean) => ({
  width: area.width - 2 * PADDING - 1 - (multiline ? BAR_WIDTH : 0),
  rows: Math.max(1, Math.floor((area.height - 4) / LINE_HEIGHT)),
});

/** Caches the last layout of a text: each action asks for it several times, and most actions do not change the text. */
const layoutCache = new WeakMap<
  Editing,
  { readonly width: number | undefined; readonly lines: readonly TextLine[] }
>();

function linesIn(state: Editing, width: number | undefined): readonly TextLine[] {
  const cached = layoutCache.get(state);
  if (cached !== undefined && cached.width === width) return cached.lines;
  const lines = linesOf(state.text, width);
  layoutCache.set(state, { width, lines });
  return lines;
}

interface Layout {
  readonly lines: readonly TextLine[];
  readonly rows: number;
  /** Scroll position: x in pixels, y in lines. */
  readonly shift: Point;
}

/** A text area breaks lines and keeps its scroll position; a text field scrolls to its caret. */
function layoutOf(state: Editing, area: Box, multiline: boolean): Layout {
  const { width, rows } = lineSpace(area, multiline);
  const lines = linesIn(state, multiline ? width : undefined);
  const current = lineAt(lines, state.caret);
  const top = state.top ?? Math.max(0, current - rows + 1);
  const y = Math.max(0, Math.min(top, lines.length - rows));
  if (multiline) return { lines, rows, shift: { x: 0, y } };
  const { text, start } = lines[current] ?? { text: '', start: 0 };
  const x = textWidth(text.slice(0, state.caret - start));
  return { lines, rows, shift: { x: Math.max(0, x - width), y } };
}

function placeAt(state: Editing, at: Point, area: Box, multiline: boolean): number {
  const { lines, shift } = layoutOf(state, area, multiline);
  const row = Math.floor((at.y - area.y - 2) / LINE_HEIGHT) + shift.y;
  const line = lines[Math.max(0, Math.min(lines.length - 1, row))];
  if (line === undefined) return 0;
  const index = indexAt(line.text, at.x - area.x - PADDING + shift.x);
  return Math.min(line.start + index, lastPlace(line));
}

/** Keeps the scroll position of a text area unless the caret would be invisible. */
function keepScroll(before: Editing, after: Editing, area: Box): Editing {
  const { shift, rows } = layoutOf(before, area, true);
  const current = lineAt(layoutOf(after, area, true).lines, after.caret);
  return { ...after, top: Math.max(current - rows + 1, Math.min(shift.y, current)) };
}

function handlers(state: Editing, multiline: boolean, { change, enter }: FieldOptions): EventHandlers {
  const set = (next: Editing, area: Box) => change(multiline ? keepScroll(state, next, area) : next);
  const cut = (ui: UiServices, area: Box) => {
    if (selectedText(state) === '') return;
    ui.clipboard = selectedText(state);
    set(insert(state, '', multiline), area);
  };
  const copy = (ui: UiServices) => {
    if (selectedText(state) !== '') ui.clipboard = selectedText(state);
  };
  const paste = (ui: UiServices, area: Box) => set(insert(state, ui.clipboard, multiline), area);
  const place = (at: Point, area: Box) => placeAt(state, at, area, multiline);
  const lineStroke = (stroke: string, area: Box): Editing | undefined => {
    if (!multiline) return undefined;
    const { lines, rows } = layoutOf(state, area, true);
    return afterLineStroke(state, stroke, lines, rows - 1 || 1);
  };
  return {
    press: (at, _ui, area) => set(moveTo(state, place(at, area), false), area),
    double: (at, _ui, area) => set(selectWord(state, place(at, area)), area),
    triple: (at, _ui, area) => set(selectParagraph(state, place(at, area)), area),
    drag: (from, to, area) => {
      const start = moveTo(state, place(from, area), false);
      set(moveTo(start, place(to, area), true), area);
    },
    wheel: multiline
      ? (direction, notches, area) => {
          const by = { up: -notches, down: notches, left: 0, right: 0 }[direction];
          scrollTo(state, layoutOf(state, area, true).shift.y + by, area, change);
        }
      : undefined,
    menu: (_at, area): readonly MenuItem[] => [
      { name: 'Cut', enabled: selectedText(state) !== '', choose: ui => cut(ui, area) },
      { name: 'Copy', enabled: selectedText(state) !== '', choose: copy },
      { name: 'Paste', choose: ui => paste(ui, area) },
      { name: 'Select All', apart: true, choose: () => change(selectAll(state)) },
    ],
    type: (text, area) => set(insert(state, text, multiline), area),
    stroke: (stroke, ui, area) => {
      if (stroke === 'ctrl+c') copy(ui);
      else if (stroke === 'ctrl+x') cut(ui, area);
      else if (stroke === 'ctrl+v') paste(ui, area);
      else if (stroke === 'enter' && !multiline) {
        if (enter === undefined) return false;
        enter();
      } else {
        const next = lineStroke(stroke, area) ?? afterStroke(state, stroke, multiline);
        if (next === undefined) return false;
        set(next, area);
      }
      return true;
    },
  };
}

function scrollTo(state: Editing, top: number, area: Box, change: (state: Editing) => void): void {
  const { lines, rows } = layoutOf(state, area, true);
  change({ ...state, top: Math.max(0, Math.min(lines.length - rows, top)) });
}

function editor(name: string, state: Editing, multiline: boolean, options: FieldOptions): Widget {
  const { hint = '' } = options;
  const { text, caret, anchor, top: scrolledTo } = state;
  return {
    key: name,
    opaque: true,
    paintKey: `field ${caret} ${anchor} ${scrolledTo} ${hint} ${text}`,
    describe: { role: multiline ? 'textarea' : 'textfield', name, value: text, states: ['editable'] },
    on: handlers(state, multiline, options),
    measure: within => ({
      width: Math.min(80, within),
      height: multiline ? 3 * LINE_HEIGHT + 4 : CONTROL_HEIGHT,
    }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, theme.field);
      surface.frame(area, focused ? theme.accent : theme.buttonEdge);
      surface.within(inset(area, 1), () => {
        const { lines, rows, shift } = layoutOf(state, area, multiline);
        const current = lineAt(lines, caret);
        const [from, to] = selectionOf(state);
        const left = area.x + PADDING - shift.x;
        const top = multiline ? area.y + 3 : area.y + Math.floor((area.height - CAP_HEIGHT) / 2);
        if (text === '' && !focused) surface.text(hint, left, top, theme.faint);
        for (const [index, line] of lines.entries()) {
          const y = top + (index - shift.y) * LINE_HEIGHT;
          if (index < shift.y || index >= shift.y + rows) continue;
          const end = line.start + line.text.length;
          if ((focused || multiline) && from < to && from <= end && to >= line.start) {
            const [first, last] = [Math.max(from, line.start), Math.min(to, end)];
            const x = left + textWidth(line.text.slice(0, first - line.start));
            const wide = textWidth(line.text.slice(first - line.start, last - line.start));
            const mark = box(x - 1, y - 1, wide + 2, LINE_HEIGHT);
            surface.fill(mark, focused ? theme.selection : theme.shade);
          }
          surface.text(line.text, left, y, theme.text);
          if (focused && index === current) {
            const x = left + textWidth(line.text.slice(0, caret - line.start));
            surface.fill(box(x, y - 1, 1, LINE_HEIGHT - 1), theme.text);
          }
        }
      });
    },
  };
}

export const textField = (name: string, state: Editing, options: FieldOptions): Widget =>
  editor(name, state, false, options);

export const textArea = (name: string, state: Editing, options: FieldOptions): Widget =>
  extendWidget(editor(name, state, true, options), {
    grow: 1,
    children: area => {
      const { lines, rows, shift } = layoutOf(state, area, true);
      const limit = Math.max(0, lines.length - rows) * LINE_HEIGHT;
      const bar = scrollBar(`${name} scroll`, shift.y * LINE_HEIGHT, limit, offset =>
        scrollTo(state, Math.round(offset / LINE_HEIGHT), area, options.change),
      );
      return [{ widget: bar, box: box(right(area) - BAR_WIDTH - 1, area.y + 1, BAR_WIDTH, area.height - 2) }];
    },
  });
