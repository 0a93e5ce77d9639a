// A screen made smaller for a wall of many: each pixel is the mean of a square. Pure.

import type { Pixels } from '../core/screen.ts';

/** At most so wide, by the smallest whole factor; what remains at the right and lower edge is left out. A copy, unless it is small already. */
export function downscale(pixels: Pixels, widest: number): Pixels {
  const factor = Math.ceil(pixels.width / widest);
  if (factor === 1) return pixels;
  const [width, height] = [Math.floor(pixels.width / factor), Math.floor(pixels.height / factor)];
  const data = new Uint8Array(3 * width * height);
  const step = pixels.layout.length;
  const around = Array.from({ length: factor * factor }, (_, index) => {
    const [row, column] = [Math.floor(index / factor), index % factor];
    return step * (row * pixels.width + column);
  });
  let to = 0;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const from = step * factor * (row * pixels.width + column);
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (const offset of around) sum += pixels.data[from + offset + channel] ?? 0;
        data[to++] = Math.round(sum / around.length);
      }
    }
  return { layout: 'rgb', width, height, data };
}
