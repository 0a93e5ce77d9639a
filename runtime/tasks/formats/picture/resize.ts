// Resizes pictures with the filters and the fixed-point arithmetic of Pillow.

import { CHANNELS, type DecodedPicture } from './picture.ts';

interface Filter {
  readonly support: number;
  weight(distance: number): number;
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI));

export const LANCZOS: Filter = {
  support: 3,
  weight: x => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0),
};

/** The cubic convolution with a = -0.5. */
export const BICUBIC: Filter = {
  support: 2,
  weight: distance => {
    const x = Math.abs(distance);
    if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
    return x < 2 ? ((x - 5) * x + 8) * x * -0.5 + 2 : 0;
  },
};

/** A picture of another size. Modes 1 and P take the nearest pixel, whatever the filter. */
export function resize(
  picture: DecodedPicture,
  width: number,
  height: number,
  filter: Filter,
): DecodedPicture {
  if (picture.width === width && picture.height === height) return picture;
  if (picture.mode === '1' || picture.mode === 'P') return nearest(picture, width, height);
  const hasAlpha = picture.mode === 'LA' || picture.mode === 'RGBA';
  const source = hasAlpha ? { ...picture, samples: premultiplied(picture) } : picture;
  const wide = width === source.width ? source : resampled(source, width, filter, true);
  const whole = height === wide.height ? wide : resampled(wide, height, filter, false);
  return hasAlpha ? { ...whole, samples: unmultiplied(whole) } : whole;
}

function nearest(picture: DecodedPicture, width: number, height: number): DecodedPicture {
  const [columns, rows] = [nearestPlaces(picture.width, width), nearestPlaces(picture.height, height)];
  const samples = new Uint8Array(width * height);
  rows.forEach((row, y) => {
    columns.forEach((column, x) => {
      samples[y * width + x] = picture.samples[row * picture.width + column] ?? 0;
    });
  });
  return { ...picture, width, height, samples };
}

/** Pillow adds up the scale, so rounding errors add up too. */
function nearestPlaces(from: number, to: number): readonly number[] {
  const scale = from / to;
  let place = scale * 0.5;
  return Array.from({ length: to }, () => {
    const index = Math.trunc(place);
    place += scale;
    return index;
  });
}

interface Window {
  readonly first: number;
  readonly weights: readonly number[];
}

function windowsOf(from: number, to: number, filter: Filter): readonly Window[] {
  const scale = from / to;
  const filterScale = Math.max(1, scale);
  const support = filter.support * filterScale;
  return Array.from({ length: to }, (_, index) => {
    const center = (index + 0.5) * scale;
    const first = Math.max(0, Math.trunc(center - support + 0.5));
    const end = Math.min(from, Math.trunc(center + support + 0.5));
    const raw = Array.from({ length: end - first }, (__, x) =>
      filter.weight((x + first - center + 0.5) * (1 / filterScale)),
    );
    const total = raw.reduce((sum, weight) => sum + weight, 0);
    return { first, weights: total === 0 ? raw : raw.map(weight => weight / total) };
  });
}

const PRECISION_BITS = 22;

/** Rounds half away from zero, as the C code does. */
const fixed = (weight: number): number =>
  Math.trunc(weight * (1 << PRECISION_BITS) + (weight < 0 ? -0.5 : 0.5));

function resampled(
  picture: DecodedPicture,
  size: number,
  filter: Filter,
  isHorizontal: boolean,
): DecodedPicture {
  const { width, height, mode, samples } = picture;
  const channels = CHANNELS[mode];
  const isDeep = mode === 'I;16';
  const windows = windowsOf(isHorizontal ? width : height, size, filter).map(({ first, weights }) => ({
    first,
    weights: isDeep ? weights : weights.map(fixed),
  }));
  const [newWidth, newHeight] = isHorizontal ? [size, height] : [width, size];
  const length = newWidth * newHeight * channels;
  const result = isDeep ? new Uint16Array(length) : new Uint8Array(length);
  const step = isHorizontal ? channels : width * channels;
  for (let y = 0; y < newHeight; y++)
    for (let x = 0; x < newWidth; x++) {
      const window = windows[isHorizontal ? x : y];
      if (window === undefined) continue;
      const line = isHorizontal ? y * width * channels : x * channels;
      for (let channel = 0; channel < channels; channel++) {
        let sum = isDeep ? 0 : 1 << (PRECISION_BITS - 1);
        let place = line + channel + window.first * step;
        for (const weight of window.weights) {
          sum += (samples[place] ?? 0) * weight;
          place += step;
        }
        result[(y * newWidth + x) * channels + channel] = isDeep ? deepSample(sum) : clipped(sum);
      }
    }
  return { ...picture, width: newWidth, height: newHeight, samples: result };
}

const clipped = (sum: number): number => Math.min(255, Math.max(0, sum >> PRECISION_BITS));

/** Pillow limits the two bytes of a deep sample separately. */
function deepSample(sum: number): number {
  const rounded = sum >= 0 ? Math.floor(sum + 0.5) : -Math.floor(-sum + 0.5);
  const byte = (value: number): number => Math.min(255, Math.max(0, value));
  return (byte(rounded >> 8) << 8) | byte(rounded % 256);
}

function premultiplied(picture: DecodedPicture): Uint8Array {
  return mapColours(picture, (value, alpha) => {
    const product = value * alpha + 128;
    return ((product >> 8) + product) >> 8;
  });
}

function unmultiplied(picture: DecodedPicture): Uint8Array {
  return mapColours(picture, (value, alpha) =>
    alpha === 0 || alpha === 255 ? value : Math.min(255, Math.trunc((255 * value) / alpha)),
  );
}

function mapColours(picture: DecodedPicture, change: (value: number, alpha: number) => number): Uint8Array {
  const channels = CHANNELS[picture.mode];
  const samples = Uint8Array.from(picture.samples);
  for (let place = 0; place < samples.length; place += channels) {
    const alpha = samples[place + channels - 1] ?? 0;
    for (let channel = 0; channel < channels - 1; channel++)
      samples[place + channel] = change(samples[place + channel] ?? 0, alpha);
  }
  return samples;
}
