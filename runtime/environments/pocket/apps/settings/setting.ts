// What the pages of Settings are made of: a control behind its name, and settings that a control changes.

import { right } from '../../../box.ts';
import { textWidth } from '../../font.ts';
import { growing, row, sized } from '../../toolkit/boxes.ts';
import { label } from '../../toolkit/controls.ts';
import { checkbox, radio } from '../../toolkit/toggles.ts';
import { slider } from '../../toolkit/values.ts';
import type { Widget } from '../../toolkit/widget.ts';
import type { Settings } from '../../world.ts';

const LABEL_WIDTH = 66;
const PERCENT_WIDTH = 30;

export const titled = (name: string, ...controls: readonly Widget[]): Widget =>
  row([sized(label(name), { width: LABEL_WIDTH }), ...controls], { align: 'centre' });

/** The names of the settings that hold values of one type. */
type Of<Value> = {
  [Name in keyof Settings]: Settings[Name] extends Value ? Name : never;
}[keyof Settings];

/** A box to check for a setting that is on or off. */
export const toggle = (name: string, settings: Settings, field: Of<boolean>): Widget =>
  checkbox(name, settings[field], {
    change: () => {
      settings[field] = !settings[field];
    },
  });

/** A slider in steps of ten, with its number beside it. */
export const share = (name: string, settings: Settings, field: Of<number>): Widget => {
  const value = settings[field];
  const control = slider(name, value, {
    from: 0,
    to: 100,
    step: 10,
    change: wanted => {
      settings[field] = wanted;
    },
  });
  return titled(name, growing(control), sized(number(`${value} %`), { width: PERCENT_WIDTH }));
};

/** Drawn, but not told of: the slider says its value itself. */
const number = (text: string): Widget => ({
  paintKey: `number ${text}`,
  measure: () => ({ width: textWidth(text), height: 10 }),
  paint: ({ surface, box: area, theme }) =>
    surface.text(text, right(area) - textWidth(text), area.y + 2, theme.faint),
});

/** One of two or three, all of which can be seen. */
export function choice<Value extends string>(
  title: string,
  names: Readonly<Record<Value, string>>,
  chosen: Value,
  choose: (value: Value) => void,
): Widget {
  const values = Object.keys(names) as Value[];
  const buttons = values.map(value => radio(names[value], value === chosen, { change: () => choose(value) }));
  return titled(title, row(buttons, { gap: 10 }));
}

/** Something that can be read and not changed: one element, with its name and its value. */
export function fact(name: string, value: string): Widget {
  const { describe: _, ...title } = label(name, { faint: true });
  const text = label(value);
  return row([
    sized(title, { width: LABEL_WIDTH }),
    { ...text, describe: { role: 'label', name: `${name}: ${value}` } },
  ]);
}
