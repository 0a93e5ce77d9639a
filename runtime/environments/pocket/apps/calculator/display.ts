// The widgets of Calculator: display, keys and history.

import { bottom, box, right } from '../../../box.ts';
import { boldWidth, CAP_HEIGHT, fitText, GAP, glyphOf, textWidth } from '../../font.ts';
import type { Colour, Surface } from '../../surface.ts';
import { button, textTop } from '../../toolkit/controls.ts';
import { listRow } from '../../toolkit/rows.ts';
import { extendWidget, type MenuItem, onKeys, type Widget } from '../../toolkit/widget.ts';
import type { Calculation } from '../../world.ts';
import { FAILURE } from './engine.ts';

const DISPLAY_HEIGHT = 31;
const MARGIN = 5;
const BACK = [
  '    x      ',
  '   xxxxxxxx',
  '  xx xx xxx',
  ' xxxx  xxxx',
  '  xx xx xxx',
  '   xxxxxxxx',
  '    x      ',
];

/** Draws text at twice the usual size. */
function large(surface: Surface, text: string, x: number, y: number, colour: Colour): void {
  let left = x;
  for (const character of text) {
    const { width, dots } = glyphOf(character);
    for (const dot of dots) surface.fill(box(left + 2 * (dot & 7), y + 2 * (dot >> 3), 2, 2), colour);
    left += 2 * (width + GAP);
  }
}

/** The pending operation in small text above the number in large text. */
export function display(
  { display: number, waiting, memory }: Calculation,
  menu: readonly MenuItem[],
): Widget {
  const sum = waiting === undefined ? '' : `${waiting.left} ${waiting.operator}`;
  return {
    paintKey: `display ${number} ${sum} ${memory !== ''}`,
    describe: { role: 'label', name: 'Display', value: number },
    on: { menu: () => menu },
    measure: width => ({ width, height: DISPLAY_HEIGHT }),
    paint: ({ surface, box: area, theme }) => {
      surface.fill(area, theme.field);
      surface.frame(area, theme.buttonEdge);
      const end = right(area) - MARGIN;
      surface.text(sum, end - textWidth(sum), area.y + 4, theme.faint);
      const colour = number === FAILURE ? theme.warning : theme.text;
      large(surface, number, end - 2 * textWidth(number), area.y + 14, colour);
    },
    children: area => [
      {
        widget: memoryMark(memory),
        box: box(area.x + MARGIN, area.y + 3, memory === '' ? 0 : textWidth(`M ${memory}`), CAP_HEIGHT + 2),
      },
    ],
  };
}

const memoryMark = (memory: string): Widget => ({
  paintKey: `memory ${memory}`,
  describe: { role: 'label', name: 'Memory', value: memory },
  measure: () => ({ width: textWidth(`M ${memory}`), height: CAP_HEIGHT + 2 }),
  paint: ({ surface, box: area, theme }) => surface.text(`M ${memory}`, area.x, area.y + 1, theme.accent),
});

/** Space presses a key; Enter does not, since it is always '='. */
const onSpace = (press: () => void) => onKeys(['space'], press);

export function padKey(name: string, enabled: boolean, press: () => void): Widget {
  const act = () => {
    if (enabled) press();
  };
  return {
    key: name,
    paintKey: `key ${enabled} ${name}`,
    describe: { role: 'button', name, states: enabled ? [] : ['disabled'] },
    on: { press: act, stroke: onSpace(act) },
    measure: width => ({ width, height: 16 }),
    paint: ({ surface, box: area, theme, focused }) => {
      const [isDigit, isEqual] = [/^[0-9.]$/.test(name), name === '='];
      surface.fill(area, isEqual ? theme.accent : isDigit ? theme.field : theme.button);
      surface.frame(area, focused ? theme.text : theme.buttonEdge);
      const colour = isEqual ? theme.accentText : enabled ? theme.text : theme.faint;
      const top = textTop(area.y, area.height);
      const middle = area.x + Math.floor(area.width / 2);
      if (name === 'Backspace') surface.bitmap(BACK, middle - 6, top, { x: colour });
      else surface.text(name, middle - Math.floor(textWidth(name) / 2), top, colour, isDigit);
    },
  };
}

const PAST_HEIGHT = 23;

/** A calculation of the history in two lines: the operands and the result. */
export function pastSum(sum: string, key: string, recall: () => void): Widget {
  const equal = sum.lastIndexOf('=');
  return extendWidget(listRow(sum, { key, press: recall }), {
    on: { press: recall, stroke: onSpace(recall) },
    measure: width => ({ width, height: PAST_HEIGHT }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, theme.field);
      const [above, below] = [fitText(sum.slice(0, equal).trimEnd(), area.width - 5), sum.slice(equal)];
      surface.text(above, right(area) - textWidth(above) - 2, area.y + 3, theme.faint);
      const bold = boldWidth(below) <= area.width - 5;
      const wide = bold ? boldWidth(below) : textWidth(below);
      surface.text(below, right(area) - wide - 2, area.y + 12, theme.text, bold);
      surface.fill(box(area.x, bottom(area) - 1, area.width, 1), theme.shade);
      if (focused) surface.frame(area, theme.accent);
    },
  });
}

export const clearHistory = (enabled: boolean, press: () => void): Widget =>
  extendWidget(button('Clear history', { enabled, press }), { on: { press, stroke: onSpace(press) } });
