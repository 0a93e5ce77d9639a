// Whether a screen shows nothing: one colour alone, as a screen that is off or just starts. Pure.

import type { Pixels } from '../../core/screen.ts';

/** Enough points of a grid to meet a panel or a pointer. */
const STEP = 7;

export function isBlank({ data, layout, width, height }: Pixels): boolean {
  const channels = layout === 'rgb' ? 3 : 4;
  for (let pixel = 0; pixel < width * height; pixel += STEP)
    for (let channel = 0; channel < 3; channel++)
      if (data[pixel * channels + channel] !== data[channel]) return false;
  return true;
}
