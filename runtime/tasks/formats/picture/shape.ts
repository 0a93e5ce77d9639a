// Mirrors and crops pictures, and finds the part that is not empty.

import { CHANNELS, type DecodedPicture } from './picture.ts';

export interface PictureBox {
  readonly left: number;
  readonly top: number;
  /** The first column and row outside. */
  readonly right: number;
  readonly bottom: number;
}

/** Swaps left and right. */
export function mirrored(picture: DecodedPicture): DecodedPicture {
  const { width, height, mode, samples } = picture;
  const channels = CHANNELS[mode];
  const result = samples.slice();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const place = (y * width + x) * channels;
      const from = (y * width + width - 1 - x) * channels;
      for (let channel = 0; channel < channels; channel++)
        result[place + channel] = samples[from + channel] ?? 0;
    }
  return { ...picture, samples: result };
}

export function cropped(picture: DecodedPicture, { left, top, right, bottom }: PictureBox): DecodedPicture {
  const channels = CHANNELS[picture.mode];
  const [width, height] = [right - left, bottom - top];
  const samples = picture.samples.slice(0, width * height * channels);
  for (let y = 0; y < height; y++) {
    const start = ((top + y) * picture.width + left) * channels;
    samples.set(picture.samples.subarray(start, start + width * channels), y * width * channels);
  }
  return { ...picture, width, height, samples };
}

/** The smallest box with every pixel whose alpha is above 0; undefined if there is none. */
export function opaqueBox({ width, height, mode, samples }: DecodedPicture): PictureBox | undefined {
  const channels = CHANNELS[mode];
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((samples[(y * width + x + 1) * channels - 1] ?? 0) === 0) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  return right === 0 ? undefined : { left, top, right, bottom };
}
