// Icons of 9×9 pixels. Each character is a colour; a space is transparent.

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

const ICONS = {
  folder: [
    '         ',
    ' yyyy    ',
    'yyyyyyyyy',
    'YYYYYYYYY',
    'yyyyyyyyy',
    'yyyyyyyyy',
    'yyyyyyyyy',
    'YYYYYYYYY',
    '         ',
  ],
  file: [
    ' kkkkk   ',
    ' kwwwkk  ',
    ' kwwwkkk ',
    ' kwwwwwk ',
    ' kwgggwk ',
    ' kwwwwwk ',
    ' kwgggwk ',
    ' kwwwwwk ',
    ' kkkkkkk ',
  ],
  settings: [
    '   ggg   ',
    ' g ggg g ',
    ' ggggggg ',
    'gggwwwggg',
    'gggw wggg',
    'gggwwwggg',
    ' ggggggg ',
    ' g ggg g ',
    '   ggg   ',
  ],
  notes: [
    'yyyyyyyyy',
    'YYYYYYYYY',
    'ywwwwwwwy',
    'ywkkkkkwy',
    'ywwwwwwwy',
    'ywkkkkkwy',
    'ywwwwwwwy',
    'ywkkkwwwy',
    'yyyyyyyyy',
  ],
  mail: [
    '         ',
    'bbbbbbbbb',
    'bBwwwwwBb',
    'bwBwwwBwb',
    'bwwBwBwwb',
    'bwwwBwwwb',
    'bwwwwwwwb',
    'bbbbbbbbb',
    '         ',
  ],
  calculator: [
    'kkkkkkkkk',
    'knnnnnnnk',
    'knnnnnnnk',
    'kkkkkkkkk',
    'kwkwkwkok',
    'kkkkkkkkk',
    'kwkwkwkok',
    'kkkkkkkkk',
    'kwkwkwkok',
  ],
  calendar: [
    ' k     k ',
    'rrrrrrrrr',
    'rrrrrrrrr',
    'wwwwwwwww',
    'wkwkwkwkw',
    'wwwwwwwww',
    'wkwkwrwkw',
    'wwwwwwwww',
    'ggggggggg',
  ],
  contacts: [
    'ppppppppp',
    'pwwwwwwwp',
    'pwwwkwwwp',
    'pwwkkkwwp',
    'pwwkkkwwp',
    'pwwwkwwwp',
    'pwkkkkkwp',
    'pwkkkkkwp',
    'ppppppppp',
  ],
  trash: [
    '   kkk   ',
    ' kkkkkkk ',
    '         ',
    ' ggggggg ',
    ' gkgkgkg ',
    ' gkgkgkg ',
    ' gkgkgkg ',
    ' gkgkgkg ',
    '  ggggg  ',
  ],
  target: [
    '  rrrrr  ',
    ' rwwwwwr ',
    'rwwrrrwwr',
    'rwrwwwrwr',
    'rwrwrwrwr',
    'rwrwwwrwr',
    'rwwrrrwwr',
    ' rwwwwwr ',
    '  rrrrr  ',
  ],
} as const;

export const TICK = ['      x', '     xx', 'x   xx ', 'xx xx  ', ' xxx   ', '  x    '];
export const ARROW_UP = ['  x  ', ' xxx ', 'xxxxx'];
export const ARROW_DOWN = ['xxxxx', ' xxx ', '  x  '];

export type Icon = keyof typeof ICONS;

export const drawIcon = (surface: Surface, icon: Icon, x: number, y: number): void =>
  surface.bitmap(ICONS[icon], x, y, COLOURS);
