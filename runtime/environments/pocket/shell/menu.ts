// An open menu: its choices, where it stands, and which of them the arrow keys have reached.

import type { Box, Size } from '../../../core/screen.ts';
import { bottom, box } from '../../box.ts';
import type { KeyStroke, MenuItem } from '../toolkit/widget.ts';
import { menuSize } from './menu-list.ts';

export interface OpenMenu {
  readonly items: readonly MenuItem[];
  readonly box: Box;
  /** -1 where the arrow keys were not used yet. */
  readonly marked: number;
}

/** Below a box, or above it where there is no room; always on the screen. */
export function menuAt(items: readonly MenuItem[], at: Box, screen: Size): OpenMenu {
  const size = menuSize(items);
  const below = bottom(at) + size.height <= screen.height;
  const y = below ? bottom(at) : Math.max(0, at.y - size.height);
  const x = Math.max(0, Math.min(at.x, screen.width - size.width));
  return { items, box: box(x, y, Math.max(size.width, at.width), size.height), marked: -1 };
}

/** The menu with another row marked; undefined where the stroke is none of the arrows. */
export function afterArrow(menu: OpenMenu, stroke: KeyStroke): OpenMenu | undefined {
  const count = menu.items.length;
  if (stroke === 'down') return { ...menu, marked: (menu.marked + 1) % count };
  if (stroke === 'up') return { ...menu, marked: (Math.max(menu.marked, 0) - 1 + count) % count };
  return undefined;
}
