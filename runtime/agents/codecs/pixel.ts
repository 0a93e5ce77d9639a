// Two numbers of a format as a pixel of the screen.

import type { Point } from '../../core/screen.ts';

/**
 * A position in screen pixels. Fractions are truncated as pyautogui does. The formats do not contain the screen size, so the desktop
 * checks whether the pixel exists.
 */
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
