// Encodes a screen as a PNG.

import { deflateSync } from 'node:zlib';
import { pngOf, pngRows } from '../core/png.ts';
import type { Pixels } from '../core/screen.ts';

/** Quick ones are twice as large. */
const LEVELS = { small: 9, quick: 1 } as const;

export const encodePng = (pixels: Pixels, level: keyof typeof LEVELS = 'small'): Uint8Array<ArrayBuffer> =>
  pngOf(pixels, deflateSync(pngRows(pixels), { level: LEVELS[level] }));
