// How an open menu looks: its rows, with ticks and shortcuts.

import { bottom, box, right } from '../../box.ts';
import { CAP_HEIGHT, textWidth } from '../font.ts';
import type { MenuItem, Widget } from '../toolkit/widget.ts';

export const MENU_ROW = 12;

export const menuSize = (
  items: readonly MenuItem[],
): { readonly width: number; readonly height: number } => ({
  width:
    Math.max(
      ...items.map(({ name, shortcut = '' }) => textWidth(name) + (shortcut ? textWidth(shortcut) + 12 : 0)),
    ) + 24,
  height: items.reduce((sum, { apart }) => sum + MENU_ROW + (apart ? 3 : 0), 2),
});

/** An open menu; `marked` is the row that the arrow keys have reached. */
export function menuList(
  items: readonly MenuItem[],
  marked: number,
  choose: (item: MenuItem) => void,
): Widget {
  return {
    opaque: true,
    paintKey: 'menu',
    measure: () => menuSize(items),
    paint: ({ surface, box: area, theme }) => {
      surface.fill(area, theme.field);
      surface.frame(area, theme.border);
    },
    children: area => {
      let top = area.y + 1;
      return items.map((item, index) => {
        const height = MENU_ROW + (item.apart ? 3 : 0);
        const child = {
          widget: menuRow(item, index === marked, () => choose(item)),
          box: box(area.x + 1, top, area.width - 2, height),
        };
        top += height;
        return child;
      });
    },
  };
}

const TICK = ['      x', '     xx', 'x   xx ', 'xx xx  ', ' xxx   ', '  x    '];

function menuRow(
  { name, enabled = true, checked = false, apart = false, shortcut = '' }: MenuItem,
  marked: boolean,
  choose: () => void,
): Widget {
  return {
    paintKey: `item ${enabled} ${checked} ${marked} ${shortcut} ${name}`,
    describe: {
      role: 'menuitem',
      name,
      states: [...(enabled ? [] : (['disabled'] as const)), ...(checked ? (['checked'] as const) : [])],
    },
    on: { press: choose },
    measure: width => ({ width, height: MENU_ROW }),
    paint: ({ surface, box: area, theme }) => {
      const line = box(area.x, bottom(area) - MENU_ROW, area.width, MENU_ROW);
      if (apart) surface.fill(box(area.x + 3, area.y + 1, area.width - 6, 1), theme.shade);
      if (marked) surface.fill(line, theme.selection);
      const colour = enabled ? (marked ? theme.selectionText : theme.text) : theme.faint;
      const top = line.y + Math.floor((MENU_ROW - CAP_HEIGHT) / 2);
      if (checked) surface.bitmap(TICK, line.x + 3, top, { x: theme.accent });
      surface.text(name, line.x + 13, top, colour);
      if (shortcut) surface.text(shortcut, right(line) - textWidth(shortcut) - 5, top, theme.faint);
    },
  };
}
