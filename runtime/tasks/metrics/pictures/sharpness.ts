// A metric of sharpness: the variance of the Laplacian.

import { convert } from '../../formats/picture/convert.ts';
import type { DecodedPicture, OpenPicture } from '../../formats/picture/picture.ts';
import { type Metrics, pass } from '../metric.ts';
import { openCvPixels, readExpected, readResult } from './read-picture.ts';

export const SHARPNESS_METRICS = {
  /** The result is sharper than the expected picture. */
  check_sharper: async (result, expected) => {
    const found = await readResult(result, greysOf);
    if (found === undefined) return 0;
    return pass(sharpness(found) > sharpness(await readExpected(expected, 'check_sharper', greysOf)));
  },
} satisfies Metrics;

/** The weights of red, green and blue in a grey, in units of 2 to the power of -15, and what is added before rounding down. */
type Weights = readonly [red: number, green: number, blue: number, added: number];

/** OpenCV lets the PNG library make greys, which rounds down. */
const PNG_WEIGHTS: Weights = [9798, 19235, 3735, 0];
const WEIGHTS: Weights = [9798, 19234, 3736, 1 << 14];

/** The picture as OpenCV reads it, with one channel. */
async function greysOf(file: OpenPicture): Promise<DecodedPicture> {
  const picture = await openCvPixels(file);
  return {
    ...picture,
    mode: 'L',
    samples: greySamples(picture, file.format === 'png' ? PNG_WEIGHTS : WEIGHTS),
  };
}

function greySamples(picture: DecodedPicture, [red, green, blue, added]: Weights): Uint8Array {
  const { mode, samples } = picture;
  if (mode === 'I;16') return Uint8Array.from(samples, sample => sample >> 8);
  if (mode === '1' || mode === 'L' || mode === 'LA') return Uint8Array.from(convert(picture, 'L').samples);
  const colours = convert(picture, 'RGB').samples;
  return Uint8Array.from({ length: colours.length / 3 }, (_, pixel) => {
    const [r = 0, g = 0, b = 0] = colours.subarray(3 * pixel, 3 * pixel + 3);
    return (r * red + g * green + b * blue + added) >> 15;
  });
}

function sharpness({ width, height, samples: greys }: DecodedPicture): number {
  let [sum, squares] = [0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const grey = (column: number, row: number) =>
        greys[reflected(row, height) * width + reflected(column, width)] ?? 0;
      const laplacian = grey(x - 1, y) + grey(x + 1, y) + grey(x, y - 1) + grey(x, y + 1) - 4 * grey(x, y);
      sum += laplacian;
      squares += laplacian ** 2;
    }
  const count = width * height;
  return squares / count - (sum / count) ** 2;
}

/** Beyond an edge the picture is mirrored at its last row or column. */
function reflected(index: number, size: number): number {
  if (size === 1) return 0;
  if (index < 0) return -index;
  return index >= size ? 2 * size - 2 - index : index;
}
