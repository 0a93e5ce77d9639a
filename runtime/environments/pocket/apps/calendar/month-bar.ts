// The bar above the month: which month it is, the way to others, and the way to a new event.

import { growing, row } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { extendWidget, type Widget } from '../../toolkit/widget.ts';
import { type CalendarDay, monthTitle } from './dates.ts';

interface MonthBarOptions {
  readonly shown: CalendarDay;
  readonly turn: (months: number) => void;
  readonly today: () => void;
  readonly create: () => void;
}

export const monthBar = ({ shown, turn, today, create }: MonthBarOptions): Widget =>
  row(
    [
      arrow('Previous month', () => turn(-1)),
      arrow('Next month', () => turn(1)),
      growing(label(monthTitle(shown), { bold: true })),
      button('Today', { press: today }),
      button('New event...', { press: create }),
    ],
    { gap: 3 },
  );

const ARROWS = {
  'Previous month': ['   x', '  xx', ' xxx', 'xxxx', ' xxx', '  xx', '   x'],
  'Next month': ['x   ', 'xx  ', 'xxx ', 'xxxx', 'xxx ', 'xx  ', 'x   '],
} as const;

function arrow(name: keyof typeof ARROWS, press: () => void): Widget {
  const plain = button(name, { press });
  return extendWidget(plain, {
    measure: () => ({ width: 14, height: 14 }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, theme.button);
      surface.frame(area, focused ? theme.text : theme.buttonEdge);
      surface.bitmap(ARROWS[name], area.x + 5, area.y + Math.floor((area.height - 7) / 2), { x: theme.text });
    },
  });
}
