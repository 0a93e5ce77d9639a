// Icons of 9×9 pixels. Each character is a colour; a dot is transparent.

import type { Colour, Surface } from '../surface.ts';

export const ICON_SIZE = 9;

const COLOURS: Readonly<Record<string, Colour>> = {
  k: 0x2a2f37,
  w: 0xffffff,
  g: 0x9aa4b1,
  y: 0xe9b949,
  Y: 0xc99527,
  b: 0x3f7fd6,
  B: 0x275aa3,
  r: 0xd1493d,
  n: 0x55a868,
  N: 0x357a49,
  p: 0x8d6cc9,
  o: 0xe0813a,
};

const NAMES = [
  'folder',
  'file',
  'settings',
  'notes',
  'mail',
  'calculator',
  'calendar',
  'contacts',
  'trash',
  'target',
] as const;
/** The icons side by side, in the order of their names, two columns apart. */
const SHEET: readonly string[] = `
.........  .kkkkk...  ...ggg...  yyyyyyyyy  .........  kkkkkkkkk  .k.....k.  ppppppppp  ...kkk...  ..rrrrr..
.yyyy....  .kwwwkk..  .g.ggg.g.  YYYYYYYYY  bbbbbbbbb  knnnnnnnk  rrrrrrrrr  pwwwwwwwp  .kkkkkkk.  .rwwwwwr.
yyyyyyyyy  .kwwwkkk.  .ggggggg.  ywwwwwwwy  bBwwwwwBb  knnnnnnnk  rrrrrrrrr  pwwwkwwwp  .........  rwwrrrwwr
YYYYYYYYY  .kwwwwwk.  gggwwwggg  ywkkkkkwy  bwBwwwBwb  kkkkkkkkk  wwwwwwwww  pwwkkkwwp  .ggggggg.  rwrwwwrwr
yyyyyyyyy  .kwgggwk.  gggw.wggg  ywwwwwwwy  bwwBwBwwb  kwkwkwkok  wkwkwkwkw  pwwkkkwwp  .gkgkgkg.  rwrwrwrwr
yyyyyyyyy  .kwwwwwk.  gggwwwggg  ywkkkkkwy  bwwwBwwwb  kkkkkkkkk  wwwwwwwww  pwwwkwwwp  .gkgkgkg.  rwrwwwrwr
yyyyyyyyy  .kwgggwk.  .ggggggg.  ywwwwwwwy  bwwwwwwwb  kwkwkwkok  wkwkwrwkw  pwkkkkkwp  .gkgkgkg.  rwwrrrwwr
YYYYYYYYY  .kwwwwwk.  .g.ggg.g.  ywkkkwwwy  bbbbbbbbb  kkkkkkkkk  wwwwwwwww  pwkkkkkwp  .gkgkgkg.  .rwwwwwr.
.........  .kkkkkkk.  ...ggg...  yyyyyyyyy  .........  kwkwkwkok  ggggggggg  ppppppppp  ..ggggg..  ..rrrrr..
`
  .trim()
  .split('\n');

export type Icon = (typeof NAMES)[number];

export const TICK = ['      x', '     xx', 'x   xx ', 'xx xx  ', ' xxx   ', '  x    '];
export const ARROW_UP = ['  x  ', ' xxx ', 'xxxxx'];
export const ARROW_DOWN = ['xxxxx', ' xxx ', '  x  '];

export function drawIcon(surface: Surface, icon: Icon, x: number, y: number): void {
  const left = NAMES.indexOf(icon) * (ICON_SIZE + 2);
  const rows = SHEET.map(row => row.slice(left, left + ICON_SIZE));
  surface.bitmap(rows, x, y, COLOURS);
}
