// The colours of all widgets, in a light and a dark theme.

import type { Colour } from './surface.ts';

const LIGHT = {
  wallpaper: 0x3f7189,
  wallpaperMark: 0x4a7e97,
  panel: 0x2b3440,
  panelText: 0xf2f4f7,
  window: 0xf3f4f6,
  border: 0x596372,
  title: 0x2f5d9b,
  titleText: 0xffffff,
  titleIdle: 0xc3c9d2,
  titleIdleText: 0x434b57,
  text: 0x1b1f26,
  faint: 0x737b87,
  field: 0xffffff,
  button: 0xe1e5ea,
  buttonEdge: 0x98a2b0,
  shade: 0xd3d8df,
  accent: 0x2f6fd0,
  accentText: 0xffffff,
  selection: 0xcfe1fb,
  selectionText: 0x10233f,
  warning: 0xb3402e,
} satisfies Readonly<Record<string, Colour>>;

export type Theme = Readonly<Record<keyof typeof LIGHT, Colour>>;

const DARK: Theme = {
  wallpaper: 0x24303b,
  wallpaperMark: 0x2c3a47,
  panel: 0x14181e,
  panelText: 0xe6e9ee,
  window: 0x2b313a,
  border: 0x0d1014,
  title: 0x3d6db3,
  titleText: 0xffffff,
  titleIdle: 0x3a424e,
  titleIdleText: 0xaab2be,
  text: 0xe8ebf0,
  faint: 0x97a1ae,
  field: 0x1d2229,
  button: 0x3b444f,
  buttonEdge: 0x5c6775,
  shade: 0x363e49,
  accent: 0x5a96ea,
  accentText: 0x0c1420,
  selection: 0x34517c,
  selectionText: 0xf1f5fb,
  warning: 0xe88673,
};

export const THEMES = { light: LIGHT, dark: DARK } as const;
