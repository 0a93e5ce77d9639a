// The sizes of a desktop's screen, and how many of its pixels one pixel of an agent covers. Pure.

import type { Point, Size } from '../../core/screen.ts';

export const SCREEN_SIZES = ['640x480', '1280x720', '1920x1080'] as const;
export type ScreenSize = (typeof SCREEN_SIZES)[number];

/**
 * Desktop pixels per pixel of the agent, in each direction. The compact policy cuts its screen into squares of 16 pixels and reads at
 * most 192 of them, so it sees at most 320 × 240 pixels. A model reads small text, so it sees the pixels of the larger screens unscaled.
 */
const SCALES: Readonly<Record<ScreenSize, { readonly compact: number; readonly model: number }>> = {
  '640x480': { compact: 2, model: 2 },
  '1280x720': { compact: 4, model: 1 },
  '1920x1080': { compact: 6, model: 1 },
};

/** Of the smallest screen. */
export const DEFAULT_SCALE = 2;

export const scaleOf = (screen: ScreenSize, agent: 'compact' | 'model'): number => SCALES[screen][agent];

/** The middle of the square of desktop pixels that one pixel of the agent covers. */
export const onScreen = ({ x, y }: Point, scale: number): Point => {
  const middle = Math.floor(scale / 2);
  return { x: x * scale + middle, y: y * scale + middle };
};

/** The first pixel of the agent whose middle is at or behind a place of the desktop, on either axis. */
export const firstBehind = (place: number, scale: number): number =>
  Math.floor((place - Math.floor(scale / 2) + scale - 1) / scale);

export const scaledSize = ({ width, height }: Size, scale: number): Size => ({
  width: Math.floor(width / scale),
  height: Math.floor(height / scale),
});
