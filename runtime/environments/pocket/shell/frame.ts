// The frame of a window or dialog: border, title bar and buttons around its content.

import type { Point } from '../../../core/screen.ts';
import { bottom, box, right } from '../../box.ts';
import { fitText } from '../font.ts';
import { drawIcon, ICON_SIZE, type Icon } from '../toolkit/icons.ts';
import type { Widget } from '../toolkit/widget.ts';

const TITLE_HEIGHT = 13;

const CROSS = ['x     x', ' x   x ', '  x x  ', '   x   ', '  x x  ', ' x   x ', 'x     x'];
const DASH = ['xxxxxxx', 'xxxxxxx'];

interface FrameOptions {
  readonly title: string;
  readonly icon?: Icon;
  readonly active: boolean;
  readonly role: 'window' | 'dialog';
  readonly close: () => void;
  readonly minimise?: () => void;
  readonly move?: (by: Point) => void;
  readonly content: Widget;
}

export function windowFrame(options: FrameOptions): Widget {
  const { title, icon, active, role, close, minimise, move, content } = options;
  return {
    opaque: true,
    paintKey: role,
    describe: { role, name: title },
    measure: width => {
      const size = content.measure(width - 2);
      return { width: size.width + 2, height: size.height + TITLE_HEIGHT + 2 };
    },
    paint: ({ surface, box: area, theme }) => {
      surface.fill(area, theme.window);
      surface.frame(area, theme.border);
    },
    children: area => {
      const bar = box(area.x + 1, area.y + 1, area.width - 2, TITLE_HEIGHT);
      const buttons = [
        titleButton('Close', CROSS, active, close),
        ...(minimise ? [titleButton('Minimise', DASH, active, minimise)] : []),
      ];
      const inner = box(area.x + 1, bottom(bar), area.width - 2, area.height - TITLE_HEIGHT - 2);
      return [
        { widget: titleBar(title, icon, active, move), box: bar },
        ...buttons.map((widget, index) => ({
          widget,
          box: box(right(bar) - 12 * (index + 1), bar.y, 12, bar.height),
        })),
        { widget: content, box: inner, clip: inner },
      ];
    },
  };
}

const titleBar = (
  title: string,
  icon: Icon | undefined,
  active: boolean,
  move?: (by: Point) => void,
): Widget => ({
  opaque: true,
  paintKey: `title ${active} ${icon} ${title}`,
  describe: { role: 'titlebar', name: title },
  on: { drag: move && ((from, to) => move({ x: to.x - from.x, y: to.y - from.y })) },
  measure: width => ({ width, height: TITLE_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, active ? theme.title : theme.titleIdle);
    const left = area.x + 3 + (icon === undefined ? 0 : ICON_SIZE + 3);
    if (icon !== undefined) drawIcon(surface, icon, area.x + 3, area.y + 2);
    const colour = active ? theme.titleText : theme.titleIdleText;
    surface.text(fitText(title, area.width - (left - area.x) - 30, active), left, area.y + 3, colour, active);
  },
});

const titleButton = (name: string, mark: readonly string[], active: boolean, press: () => void): Widget => ({
  paintKey: `${name} ${active}`,
  describe: { role: 'button', name },
  on: { press },
  measure: () => ({ width: 12, height: TITLE_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    const colour = active ? theme.titleText : theme.titleIdleText;
    surface.bitmap(mark, area.x + 2, area.y + 3 + (7 - mark.length), { x: colour });
  },
});
