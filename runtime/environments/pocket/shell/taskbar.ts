// The parts of the desktop around the windows: wallpaper, task bar and toasts.

import type { Box } from '../../../core/screen.ts';
import { bottom, box, right } from '../../box.ts';
import { fitText, textWidth } from '../font.ts';
import { Surface } from '../surface.ts';
import type { Theme } from '../theme.ts';
import { drawIcon, type Icon } from '../toolkit/icons.ts';
import type { Widget } from '../toolkit/widget.ts';

export const TASKBAR_HEIGHT = 15;

export const toastBox = (text: string, screen: Box): Box => {
  const width = Math.min(screen.width - 20, textWidth(text) + 16);
  return box(right(screen) - width - 6, bottom(screen) - TASKBAR_HEIGHT - 22, width, 16);
};

export const toastWidget = (text: string): Widget => ({
  opaque: true,
  paintKey: `toast ${text}`,
  describe: { role: 'alert', name: text },
  measure: () => ({ width: textWidth(text) + 16, height: 16 }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, theme.panel);
    surface.frame(area, theme.accent);
    surface.text(fitText(text, area.width - 12), area.x + 7, area.y + 5, theme.panelText);
  },
});

export const taskbar = (launch: () => void, buttons: readonly Widget[], clock: string): Widget => ({
  opaque: true,
  paintKey: 'taskbar',
  measure: width => ({ width, height: TASKBAR_HEIGHT }),
  paint: ({ surface, box: area, theme }) => surface.fill(area, theme.panel),
  children: area => {
    const start = box(area.x + 1, area.y + 1, 46, area.height - 2);
    const time = box(right(area) - textWidth(clock) - 6, area.y, textWidth(clock) + 6, area.height);
    const room = time.x - right(start) - 6;
    const wide = Math.min(70, Math.floor(room / Math.max(1, buttons.length)) - 2);
    return [
      { widget: panelButton('Apps', 'target', false, launch), box: start },
      ...buttons.map((widget, index) => ({
        widget,
        box: box(right(start) + 3 + index * (wide + 2), area.y + 1, wide, area.height - 2),
      })),
      { widget: clockFace(clock), box: time },
    ];
  },
});

export const panelButton = (name: string, icon: Icon, active: boolean, press: () => void): Widget => ({
  paintKey: `panel ${name} ${active}`,
  describe: { role: 'button', name, states: active ? ['pressed'] : [] },
  on: { press },
  measure: () => ({ width: 46, height: TASKBAR_HEIGHT - 2 }),
  paint: ({ surface, box: area, theme }) => {
    if (active) surface.fill(area, theme.title);
    else surface.frame(area, theme.titleIdleText);
    drawIcon(surface, icon, area.x + 3, area.y + 2);
    surface.text(fitText(name, area.width - 18), area.x + 15, area.y + 3, theme.panelText);
  },
});

const clockFace = (clock: string): Widget => ({
  paintKey: `clock ${clock}`,
  describe: { role: 'label', name: clock },
  measure: () => ({ width: textWidth(clock), height: TASKBAR_HEIGHT }),
  paint: ({ surface, box: area, theme }) => surface.text(clock, area.x, area.y + 4, theme.panelText),
});

const wallpapers = new Map<string, Surface>();

/** A plain colour with rings. Drawn once per theme and size, then copied. */
export const wallpaper = (screen: Box): Widget => ({
  opaque: true,
  paintKey: 'wallpaper',
  describe: { role: 'desktop', name: 'Desktop' },
  measure: () => screen,
  paint: ({ surface, theme }) => {
    const key = `${theme.wallpaper} ${screen.width} ${screen.height}`;
    const drawn = wallpapers.get(key) ?? drawWallpaper(screen, theme);
    wallpapers.set(key, drawn);
    surface.copy(drawn);
  },
});

function drawWallpaper(screen: Box, theme: Theme): Surface {
  const paper = new Surface(screen.width, screen.height);
  paper.fill(screen, theme.wallpaper);
  const [x, y] = [Math.floor(screen.width / 2), Math.floor(screen.height / 2)];
  const dot = (left: number, top: number) => paper.fill(box(left, top, 2, 2), theme.wallpaperMark);
  for (const radius of [70, 48, 26]) ring(radius, x, y, dot);
  paper.fill(box(x - 2, y - 2, 5, 5), theme.wallpaperMark);
  return paper;
}

function ring(radius: number, x: number, y: number, dot: (x: number, y: number) => void): void {
  for (let at = 0; at <= radius; at++) {
    // Integers apart from one square root, which IEEE 754 rounds the same on every machine.
    const other = Math.round(Math.sqrt(radius * radius - at * at));
    for (const [dx, dy] of [
      [at, other],
      [other, at],
    ] as const) {
      for (const sx of [-1, 1]) for (const sy of [-1, 1]) dot(x + sx * dx, y + sy * dy);
    }
  }
}
