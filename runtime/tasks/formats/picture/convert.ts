// Converts pictures between modes with the arithmetic of Pillow, to the last bit.

import { CHANNELS, type DecodedPicture, PictureError, type PictureMode } from './picture.ts';

/** Converts to a mode. Throws a PictureError for I;16, and for colours to P, where Pillow dithers to a palette of its own. */
export function convert(picture: DecodedPicture, mode: PictureMode): DecodedPicture {
  if (picture.mode === mode) return picture;
  const samples = converted(picture, mode);
  const { width, height, isMarkedTransparent } = picture;
  return { width, height, mode, samples, isMarkedTransparent };
}

function converted(picture: DecodedPicture, mode: PictureMode): Uint8Array {
  switch (mode) {
    case 'L':
      return greysOf(picture);
    case 'RGB':
      return coloursOf(picture);
    case 'HSV':
      return hsvOf(coloursOf(picture));
    case 'LA':
      return joined(greysOf(picture), 1, alphasOf(picture));
    case 'RGBA':
      return joined(coloursOf(picture), 3, alphasOf(picture));
    case '1':
      return picture.mode === 'P' ? thresholded(picture) : dithered(greysOf(picture), picture.width);
    case 'P':
    case 'I;16':
      if (mode === 'P' && (picture.mode === 'L' || picture.mode === '1')) return greysOf(picture);
      throw new PictureError(
        `A picture of mode ${picture.mode} cannot become ${mode}. Use L, RGB or RGBA instead.`,
      );
  }
}

const pixelCount = ({ width, height }: DecodedPicture): number => width * height;

/** ITU-R 601-2 luma in 16-bit fixed point. */
const luma = (red: number, green: number, blue: number): number =>
  (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >>> 16;

function greysOf(picture: DecodedPicture): Uint8Array {
  const { samples, mode, palette } = picture;
  const greys = new Uint8Array(pixelCount(picture));
  const channels = CHANNELS[mode];
  for (let pixel = 0; pixel < greys.length; pixel++) {
    const sample = samples[pixel * channels] ?? 0;
    if (mode === 'P' && palette) greys[pixel] = lumaAt(palette, 4 * sample);
    else if (channels >= 3) greys[pixel] = lumaAt(samples, pixel * channels);
    else greys[pixel] = Math.min(255, sample);
  }
  return greys;
}

const lumaAt = (values: ArrayLike<number>, place: number): number =>
  luma(values[place] ?? 0, values[place + 1] ?? 0, values[place + 2] ?? 0);

function coloursOf(picture: DecodedPicture): Uint8Array {
  const { samples, mode, palette } = picture;
  const channels = CHANNELS[mode];
  const colours = new Uint8Array(pixelCount(picture) * 3);
  for (let pixel = 0; pixel < pixelCount(picture); pixel++) {
    const sample = samples[pixel * channels] ?? 0;
    for (let channel = 0; channel < 3; channel++)
      colours[3 * pixel + channel] =
        mode === 'P' && palette
          ? (palette[4 * sample + channel] ?? 0)
          : channels >= 3
            ? (samples[pixel * channels + channel] ?? 0)
            : Math.min(255, sample);
  }
  return colours;
}

/** Opaque, except for an alpha channel, the alphas of a palette, and the transparent colour. */
function alphasOf(picture: DecodedPicture): Uint8Array {
  const { samples, mode, palette, transparentColour } = picture;
  const channels = CHANNELS[mode];
  const alphas = new Uint8Array(pixelCount(picture)).fill(255);
  for (let pixel = 0; pixel < alphas.length; pixel++) {
    const place = pixel * channels;
    if (mode === 'LA' || mode === 'RGBA') alphas[pixel] = samples[place + channels - 1] ?? 0;
    else if (palette) alphas[pixel] = palette[4 * (samples[place] ?? 0) + 3] ?? 0;
    else if (transparentColour?.every((value, channel) => samples[place + channel] === value))
      alphas[pixel] = 0;
  }
  return alphas;
}

function joined(colours: Uint8Array, channels: number, alphas: Uint8Array): Uint8Array {
  const samples = new Uint8Array(colours.length + alphas.length);
  alphas.forEach((alpha, pixel) => {
    const place = pixel * (channels + 1);
    samples.set(colours.subarray(pixel * channels, (pixel + 1) * channels), place);
    samples[place + channels] = alpha;
  });
  return samples;
}

/** Hue, saturation and value of 0 to 255, truncated. Pillow computes them in single precision. */
function hsvOf(colours: Uint8Array): Uint8Array {
  const single = Math.fround;
  const samples = new Uint8Array(colours.length);
  for (let place = 0; place < colours.length; place += 3) {
    const [red = 0, green = 0, blue = 0] = colours.subarray(place, place + 3);
    const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
    samples[place + 2] = most;
    if (most === least) continue;
    const range = most - least;
    const [toRed, toGreen, toBlue] = [red, green, blue].map(value => single((most - value) / range)) as [
      number,
      number,
      number,
    ];
    const sixth = single(
      red === most ? toBlue - toGreen : green === most ? 2 + toRed - toBlue : 4 + toGreen - toRed,
    );
    samples[place] = Math.trunc(single((sixth / 6 + 1) % 1) * 255);
    samples[place + 1] = Math.trunc(single(range / most) * 255);
  }
  return samples;
}

function thresholded({ samples, palette }: DecodedPicture): Uint8Array {
  return Uint8Array.from(samples, index => {
    const [red = 0, green = 0, blue = 0] = palette?.subarray(4 * index, 4 * index + 3) ?? [];
    return red * 299 + green * 587 + blue * 114 >= 128_000 ? 255 : 0;
  });
}

/** Black and white by error diffusion (Floyd and Steinberg) in integers. */
function dithered(greys: Uint8Array, width: number): Uint8Array {
  const result = new Uint8Array(greys.length);
  const errors = new Int32Array(width + 1);
  for (let start = 0; start < greys.length; start += width) {
    let [carried, below, belowNext] = [0, 0, 0];
    for (let x = 0; x < width; x++) {
      const wanted = (greys[start + x] ?? 0) + Math.trunc((carried + (errors[x + 1] ?? 0)) / 16);
      const value = Math.min(255, Math.max(0, wanted));
      const chosen = value > 128 ? 255 : 0;
      result[start + x] = chosen;
      const error = value - chosen;
      errors[x] = 3 * error + below;
      below = 5 * error + belowNext;
      belowNext = error;
      carried = 7 * error;
    }
    errors[width] = below;
  }
  return result;
}
