// A position as pixels, for the formats that write pixels of the screen. They do not know the screen's size, so they
// cannot tell whether the pixel exists; the desktop can.

import type { Point } from '../../core/screen.ts';

/** Fractions are cut off as pyautogui does: scaled coordinates arrive as 1896.149. */
export const pixel = (x: unknown, y: unknown, refuse: (reason: string) => never): Point => {
  const whole = { x: cut(x), y: cut(y) };
  if (whole.x === undefined || whole.y === undefined) {
    return refuse(`needs a position of two numbers from 0 up, and has (${shown(x)}, ${shown(y)})`);
  }
  return { x: whole.x, y: whole.y };
};

const cut = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : undefined;

const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : typeof value);
