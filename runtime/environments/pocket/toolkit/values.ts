// Controls with a value: check boxes, radio buttons, sliders, spinners and dropdowns.

import type { Box, ElementState, Point } from '../../../core/screen.ts';
import { bottom, box, right } from '../../box.ts';
import { CAP_HEIGHT, fitText, textWidth } from '../font.ts';
import { CONTROL_HEIGHT, PADDING, textTop } from './controls.ts';
import { ARROW_DOWN, ARROW_UP, TICK } from './icons.ts';
import { type MenuItem, onKeys, type Widget } from './widget.ts';

const MARK = 9;
const ROUND = [
  '  ccccc  ',
  ' c.....c ',
  'c.......c',
  'c.......c',
  'c.......c',
  'c.......c',
  'c.......c',
  ' c.....c ',
  '  ccccc  ',
];
const DOT = ['  xxx  ', ' xxxxx ', ' xxxxx ', ' xxxxx ', '  xxx  '];

export const checkbox = (name: string, checked: boolean, change: () => void): Widget =>
  toggle('checkbox', name, checked ? ['checked'] : [], change);

export const radio = (name: string, chosen: boolean, change: () => void): Widget =>
  toggle('radio', name, chosen ? ['selected'] : [], change);

function toggle(
  role: 'checkbox' | 'radio',
  name: string,
  states: readonly ElementState[],
  change: () => void,
): Widget {
  const on = states.length > 0;
  return {
    key: name,
    paintKey: `${role} ${on} ${name}`,
    describe: { role, name, states },
    on: { press: change, stroke: onKeys(['space', 'enter'], change) },
    measure: width => ({ width: Math.min(width, MARK + 4 + textWidth(name)), height: CAP_HEIGHT + 5 }),
    paint: ({ surface, box: area, theme, focused }) => {
      const mark = box(area.x, area.y + Math.floor((area.height - MARK) / 2), MARK, MARK);
      if (role === 'radio') {
        surface.bitmap(ROUND, mark.x, mark.y, { c: theme.faint, '.': theme.field });
        if (on) surface.bitmap(DOT, mark.x + 1, mark.y + 2, { x: theme.accent });
      } else {
        surface.fill(mark, theme.field);
        surface.frame(mark, theme.faint);
        if (on) surface.bitmap(TICK, mark.x + 1, mark.y + 1, { x: theme.accent });
      }
      const text = fitText(name, area.width - MARK - 4);
      surface.text(text, right(mark) + 4, textTop(area.y, area.height), theme.text);
      if (focused) surface.fill(box(right(mark) + 4, bottom(area) - 1, textWidth(text), 1), theme.accent);
    },
  };
}

const KNOB = 7;

/** A slider from 0 to 100 in steps of ten. */
export function percentSlider(name: string, value: number, change: (value: number) => void): Widget {
  const set = (wanted: number) => change(Math.max(0, Math.min(100, Math.round(wanted / 10) * 10)));
  const setAt = ({ x }: Point, area: Box) =>
    set(((x - area.x - KNOB / 2) / Math.max(1, area.width - KNOB)) * 100);
  return {
    key: name,
    paintKey: `slider ${value}`,
    describe: { role: 'slider', name, value: String(value) },
    on: {
      press: (point, _ui, area) => setAt(point, area),
      drag: (_from, point, area) => setAt(point, area),
      stroke: stroke => {
        const by = { left: -10, down: -10, right: 10, up: 10, home: -100, end: 100 }[stroke];
        if (by !== undefined) set(value + by);
        return by !== undefined;
      },
      wheel: (direction, notches) =>
        set(value + (direction === 'up' || direction === 'right' ? notches : -notches) * 10),
    },
    measure: width => ({ width: Math.min(width, 80), height: CAP_HEIGHT + 5 }),
    paint: ({ surface, box: area, theme, focused }) => {
      const middle = area.y + Math.floor(area.height / 2);
      const left = area.x + Math.round((value / 100) * (area.width - KNOB));
      surface.fill(box(area.x, middle - 1, area.width, 3), theme.shade);
      surface.fill(box(area.x, middle - 1, left - area.x, 3), theme.accent);
      const knob = box(left, area.y + 1, KNOB, area.height - 2);
      surface.fill(knob, theme.button);
      surface.frame(knob, focused ? theme.text : theme.faint);
    },
  };
}

/** A spinner's number and the digits typed so far: further digits extend them. */
interface SpinnerState {
  readonly value: number;
  readonly typed: string;
}

export const spinnerState = (value: number, typed = ''): SpinnerState => ({ value, typed });

interface SpinnerOptions {
  /** The largest number; the smallest is 0. */
  readonly to: number;
  /** The arrows select the next multiple of the step. */
  readonly step: number;
  readonly change: (state: SpinnerState) => void;
}

const ARROW_WIDTH = 13;

/** A number of two digits with an up and a down arrow. */
export function spinner(
  name: string,
  { value, typed }: SpinnerState,
  { to, step, change }: SpinnerOptions,
): Widget {
  const digits = String(value).padStart(2, '0');
  const set = (wanted: number, latest = '') =>
    change(spinnerState(Math.max(0, Math.min(to, wanted)), latest));
  const turn = (by: number) =>
    set(by > 0 ? (Math.floor(value / step) + by) * step : (Math.ceil(value / step) + by) * step);
  const arrow = (word: string, mark: readonly string[], by: number): Widget => ({
    paintKey: `arrow ${word}`,
    describe: { role: 'button', name: `${name} ${word}` },
    on: { press: () => turn(by) },
    measure: () => ({ width: ARROW_WIDTH, height: CONTROL_HEIGHT / 2 }),
    paint: ({ surface, box: area, theme }) => {
      surface.fill(area, theme.button);
      surface.bitmap(mark, area.x + 4, area.y + 2, { x: theme.text });
    },
  });
  return {
    key: name,
    opaque: true,
    paintKey: `spinner ${digits}`,
    describe: { role: 'spinner', name, value: digits },
    on: {
      stroke: stroke => {
        const by = { up: 1, down: -1 }[stroke];
        if (by !== undefined) turn(by);
        return by !== undefined;
      },
      // Typed digits replace the number; further digits extend it while it stays in range.
      type: text => {
        if (!/^\d+$/.test(text)) return;
        const longer = typed + text;
        const fits = longer.length <= String(to).length && Number(longer) <= to;
        const latest = fits ? longer : text;
        set(Number(latest), latest);
      },
      leave: () => set(value),
      wheel: (direction, notches) => turn(direction === 'up' ? notches : -notches),
    },
    measure: () => ({ width: 44, height: CONTROL_HEIGHT }),
    children: area => {
      const arrowBox = (y: number) => box(right(area) - ARROW_WIDTH - 1, area.y + y, ARROW_WIDTH, 6);
      return [
        { widget: arrow('up', ARROW_UP, 1), box: arrowBox(1) },
        { widget: arrow('down', ARROW_DOWN, -1), box: arrowBox(7) },
      ];
    },
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, theme.field);
      surface.frame(area, focused ? theme.accent : theme.buttonEdge);
      surface.text(digits, area.x + PADDING, textTop(area.y, area.height), theme.text);
    },
  };
}

/** Shows the selected choice and opens the list of choices. */
export function dropdown(
  name: string,
  chosen: string,
  choices: readonly string[],
  choose: (choice: string) => void,
): Widget {
  const items = (): readonly MenuItem[] =>
    choices.map(choice => ({ name: choice, checked: choice === chosen, choose: () => choose(choice) }));
  const ARROW = ['xxxxxxx', ' xxxxx ', '  xxx  ', '   x   '];
  return {
    key: name,
    opaque: true,
    paintKey: `dropdown ${chosen}`,
    describe: { role: 'dropdown', name, value: chosen },
    on: {
      press: (_point, ui, area) => ui.popup(items(), area),
      stroke: stroke => {
        const by = { up: -1, down: 1 }[stroke];
        if (by === undefined) return false;
        const next = choices[choices.indexOf(chosen) + by];
        if (next !== undefined) choose(next);
        return true;
      },
    },
    measure: width => ({
      width: Math.min(width, Math.max(40, ...choices.map(choice => textWidth(choice) + 2 * PADDING + 14))),
      height: CONTROL_HEIGHT,
    }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, theme.field);
      surface.frame(area, focused ? theme.accent : theme.buttonEdge);
      surface.text(
        fitText(chosen, area.width - 18),
        area.x + PADDING,
        textTop(area.y, area.height),
        theme.text,
      );
      surface.fill(box(right(area) - 13, area.y + 1, 12, area.height - 2), theme.button);
      surface.bitmap(ARROW, right(area) - 11, area.y + 5, { x: theme.text });
    },
  };
}
