// Scales a screen down for the overview of all desktops: each pixel is the mean of a square. Pure.

import type { Pixels } from '../../core/screen.ts';

/** A copy that is at most `maxWidth` wide, or the pixels themselves if they are. The factor is an integer; the remainder at the edges is cut off. */
export function downscale(pixels: Pixels, maxWidth: number): Pixels {
  const factor = Math.ceil(pixels.width / maxWidth);
  if (factor === 1) return pixels;
  const [width, height] = [Math.floor(pixels.width / factor), Math.floor(pixels.height / factor)];
  const data = new Uint8Array(3 * width * height);
  const step = pixels.layout.length;
  const offsets = Array.from({ length: factor * factor }, (_, index) => {
    const [row, column] = [Math.floor(index / factor), index % factor];
    return step * (row * pixels.width + column);
  });
  let to = 0;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const from = step * factor * (row * pixels.width + column);
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (const offset of offsets) sum += pixels.data[from + offset + channel] ?? 0;
        data[to++] = Math.round(sum / offsets.length);
      }
    }
  return { layout: 'rgb', width, height, data };
}
