// An open menu: its items, its position, the row that the arrow keys have reached, and its widget.

import type { Box, Size } from '../../../core/screen.ts';
import { bottom, box, right } from '../../box.ts';
import { textWidth } from '../font.ts';
import { textTop } from '../toolkit/controls.ts';
import { TICK } from '../toolkit/icons.ts';
import type { KeyStroke, MenuItem, Widget } from '../toolkit/widget.ts';

const ROW_HEIGHT = 12;

export interface OpenMenu {
  readonly items: readonly MenuItem[];
  readonly box: Box;
  /** The row that the arrow keys have reached; -1 before their first use. */
  readonly marked: number;
}

/** Opens a menu below a box, or above it without space below; always on the screen. */
export function menuAt(items: readonly MenuItem[], at: Box, screen: Size): OpenMenu {
  const size = menuSize(items);
  const below = bottom(at) + size.height <= screen.height;
  const y = below ? bottom(at) : Math.max(0, at.y - size.height);
  const x = Math.max(0, Math.min(at.x, screen.width - size.width));
  return { items, box: box(x, y, Math.max(size.width, at.width), size.height), marked: -1 };
}

/** Moves the mark by an arrow key; undefined for other keys. */
export function afterArrow(menu: OpenMenu, stroke: KeyStroke): OpenMenu | undefined {
  const count = menu.items.length;
  if (stroke === 'down') return { ...menu, marked: (menu.marked + 1) % count };
  if (stroke === 'up') return { ...menu, marked: (Math.max(menu.marked, 0) - 1 + count) % count };
  return undefined;
}

const menuSize = (items: readonly MenuItem[]): { readonly width: number; readonly height: number } => ({
  width:
    Math.max(
      ...items.map(({ name, shortcut = '' }) => textWidth(name) + (shortcut ? textWidth(shortcut) + 12 : 0)),
    ) + 24,
  height: items.reduce((sum, { apart }) => sum + ROW_HEIGHT + (apart ? 3 : 0), 2),
});

/** The widget of an open menu. */
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
        const height = ROW_HEIGHT + (item.apart ? 3 : 0);
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
    measure: width => ({ width, height: ROW_HEIGHT }),
    paint: ({ surface, box: area, theme }) => {
      const line = box(area.x, bottom(area) - ROW_HEIGHT, area.width, ROW_HEIGHT);
      if (apart) surface.fill(box(area.x + 3, area.y + 1, area.width - 6, 1), theme.shade);
      if (marked) surface.fill(line, theme.selection);
      const colour = enabled ? (marked ? theme.selectionText : theme.text) : theme.faint;
      const top = textTop(line.y, ROW_HEIGHT);
      if (checked) surface.bitmap(TICK, line.x + 3, top, { x: theme.accent });
      surface.text(name, line.x + 13, top, colour);
      if (shortcut) surface.text(shortcut, right(line) - textWidth(shortcut) - 5, top, theme.faint);
    },
  };
}
