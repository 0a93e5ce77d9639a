// Sliders, spinners and dropdowns.

import { box, right } from '../../box.ts';
import { CAP_HEIGHT, fitText, textWidth } from '../font.ts';
import { CONTROL_HEIGHT, PADDING, textTop } from './controls.ts';
import { ARROW_DOWN, ARROW_UP } from './icons.ts';
import type { MenuItem, Widget } from './widget.ts';

interface SliderOptions {
  readonly key?: string;
  readonly from: number;
  readonly to: number;
  readonly step?: number;
  readonly change: (value: number) => void;
}

export function slider(
  name: string,
  value: number,
  { key = name, from, to, step = 1, change }: SliderOptions,
): Widget {
  const KNOB = 7;
  const set = (wanted: number) => {
    const stepped = from + Math.round((wanted - from) / step) * step;
    change(Math.max(from, Math.min(to, stepped)));
  };
  const valueAt = (x: number, left: number, width: number): number =>
    from + ((x - left - KNOB / 2) / Math.max(1, width - KNOB)) * (to - from);
  return {
    key,
    paintKey: `slider ${value} ${from} ${to}`,
    describe: { role: 'slider', name, value: String(value) },
    on: {
      press: (point, _ui, area) => set(valueAt(point.x, area.x, area.width)),
      drag: (_from, point, area) => set(valueAt(point.x, area.x, area.width)),
      stroke: stroke => {
        const by = { left: -step, down: -step, right: step, up: step, home: from - to, end: to - from }[
          stroke
        ];
        if (by !== undefined) set(value + by);
        return by !== undefined;
      },
      wheel: (direction, notches) =>
        set(value + (direction === 'up' || direction === 'right' ? notches : -notches) * step),
    },
    measure: width => ({ width: Math.min(width, 80), height: CAP_HEIGHT + 5 }),
    paint: ({ surface, box: area, theme, focused }) => {
      const middle = area.y + Math.floor(area.height / 2);
      const share = to === from ? 0 : (value - from) / (to - from);
      const left = area.x + Math.round(share * (area.width - KNOB));
      surface.fill(box(area.x, middle - 1, area.width, 3), theme.shade);
      surface.fill(box(area.x, middle - 1, left - area.x, 3), theme.accent);
      const knob = box(left, area.y + 1, KNOB, area.height - 2);
      surface.fill(knob, theme.button);
      surface.frame(knob, focused ? theme.text : theme.faint);
    },
  };
}

/** A spinner's number and the digits typed so far: further digits extend them. */
export interface SpinnerState {
  readonly value: number;
  readonly typed: string;
}

export const spinnerState = (value: number, typed = ''): SpinnerState => ({ value, typed });

interface SpinnerOptions {
  readonly key?: string;
  readonly from: number;
  readonly to: number;
  /** The arrows select the next multiple of the step. */
  readonly step?: number;
  /** The number is padded with zeros to this many digits. */
  readonly digits?: number;
  readonly change: (state: SpinnerState) => void;
}

const ARROW_WIDTH = 13;

/** A number with an up and a down arrow. */
export function spinner(
  name: string,
  { value, typed }: SpinnerState,
  { key = name, from, to, step = 1, digits = 1, change }: SpinnerOptions,
): Widget {
  const shown = String(value).padStart(digits, '0');
  const set = (wanted: number, latest = '') =>
    change(spinnerState(Math.max(from, Math.min(to, wanted)), latest));
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
    key,
    opaque: true,
    paintKey: `spinner ${shown}`,
    describe: { role: 'spinner', name, value: shown },
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
    children: area => [
      {
        widget: arrow('up', ARROW_UP, 1),
        box: box(right(area) - ARROW_WIDTH - 1, area.y + 1, ARROW_WIDTH, 6),
      },
      {
        widget: arrow('down', ARROW_DOWN, -1),
        box: box(right(area) - ARROW_WIDTH - 1, area.y + 7, ARROW_WIDTH, 6),
      },
    ],
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, theme.field);
      surface.frame(area, focused ? theme.accent : theme.buttonEdge);
      surface.text(shown, area.x + PADDING, textTop(area.y, area.height), theme.text);
    },
  };
}

/** Shows the selected choice and opens the list of choices. */
export function dropdown(
  name: string,
  chosen: string,
  choices: readonly string[],
  choose: (choice: string) => void,
  key = name,
): Widget {
  const items = (): readonly MenuItem[] =>
    choices.map(choice => ({ name: choice, checked: choice === chosen, choose: () => choose(choice) }));
  const ARROW = ['xxxxxxx', ' xxxxx ', '  xxx  ', '   x   '];
  return {
    key,
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
