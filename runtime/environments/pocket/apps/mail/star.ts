// The star of a mail, which is switched on and off by pressing it, and the same star over a column of them.

import { CAP_HEIGHT } from '../../font.ts';
import { ROW_HEIGHT } from '../../toolkit/rows.ts';
import type { Widget } from '../../toolkit/widget.ts';
import type { Mail } from '../../world.ts';

const STAR_WIDTH = 14;
const STAR = ['   x   ', '   x   ', 'xxxxxxx', ' xxxxx ', '  xxx  ', ' xx xx ', ' x   x '];
const GOLD = 0xe3a92b;

export const starMark = ({ starred, subject }: Mail, chosen: boolean, toggle: () => void): Widget => ({
  paintKey: `star ${starred} ${chosen}`,
  describe: { role: 'checkbox', name: `Star ${subject}`, states: starred ? ['checked'] : [] },
  on: { press: toggle },
  measure: () => ({ width: STAR_WIDTH, height: ROW_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, chosen ? theme.selection : theme.field);
    const top = area.y + Math.floor((area.height - CAP_HEIGHT) / 2);
    surface.bitmap(STAR, area.x + 4, top, { x: starred ? GOLD : theme.shade });
  },
});

export const starHead = (sort: () => void): Widget => ({
  paintKey: 'star head',
  describe: { role: 'columnheader', name: 'Starred' },
  on: { press: sort },
  measure: () => ({ width: STAR_WIDTH, height: ROW_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, theme.button);
    surface.fill({ ...area, y: area.y + area.height - 1, height: 1 }, theme.buttonEdge);
    surface.bitmap(STAR, area.x + 4, area.y + 3, { x: theme.faint });
  },
});
