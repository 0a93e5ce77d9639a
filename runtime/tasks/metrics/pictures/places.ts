// Metrics of the place and the colour of what a picture shows.

import { convert } from '../../formats/picture/convert.ts';
import { CHANNELS, type DecodedPicture } from '../../formats/picture/picture.ts';
import { argsort } from '../../formats/python/argsort.ts';
import { type Metrics, pass } from '../metric.ts';
import { openCvPixels, pairMetric, readResult } from './read-picture.ts';

/** A grey below this belongs to a text. */
const DARK = 128;
/** The share of the width that counts as the left side, and the share of a size that counts as the middle. */
const MARGIN = 0.05;

export const PLACE_METRICS = {
  /** The background, which is not black in the expected picture, is green in the result. */
  check_green_background: pairMetric('check_green_background', (found, wanted) =>
    pass(isGreen(found, wanted)),
  ),

  /** The leftmost dark pixel lies within the left side. */
  check_textbox_on_leftside: async result => {
    const picture = await readResult(result);
    if (picture === undefined) return 0;
    const { width, samples } = convert(picture, 'L');
    let leftmost = width;
    samples.forEach((grey, index) => {
      if (grey < DARK) leftmost = Math.min(leftmost, index % width);
    });
    return pass(leftmost < width * MARGIN);
  },

  /** The centre of the second rarest colour is the middle of the picture. Of equally rare ones NumPy's sort decides. */
  check_triangle_position: async result => {
    const picture = await readResult(result);
    return pass(picture !== undefined && CHANNELS[picture.mode] > 1 && isSecondColourCentral(picture));
  },

  /**
   * The first picture is further off. OSWorld searches a yellow triangle, but its limits of yellow admit each colour, so that it
   * compares the middles of whole pictures, rounded down. Each even side moves the middle by one pixel.
   */
  compare_triangle_positions: pairMetric(
    'compare_triangle_positions',
    (first, second) => {
      const isLine = [first, second].some(({ width, height }) => Math.min(width, height) < 2);
      return pass(!isLine && evenSides(first) > evenSides(second));
    },
    openCvPixels,
  ),
} satisfies Metrics;

const evenSides = ({ width, height }: DecodedPicture): number => 2 - (width % 2) - (height % 2);

/** As in OSWorld, rows and columns are swapped, so that only square pictures pass. */
function isGreen(found: DecodedPicture, wanted: DecodedPicture): boolean {
  const channels = CHANNELS[found.mode];
  const wantedChannels = CHANNELS[wanted.mode];
  if (channels < 3 || wantedChannels < 2 || wanted.width !== wanted.height) return false;
  const side = wanted.width;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const place = (y * side + x) * wantedChannels;
      const isBlack =
        wantedChannels >= 3 && [0, 1, 2].every(channel => wanted.samples[place + channel] === 0);
      if (isBlack) continue;
      if (y >= found.height || x >= found.width) return false;
      const start = (y * found.width + x) * channels;
      const [red = 0, green = 0, blue = 0] = found.samples.subarray(start, start + 3);
      if (green <= red || green <= blue) return false;
    }
  return true;
}

interface Colour {
  count: number;
  sumX: number;
  sumY: number;
}

function isSecondColourCentral({ width, height, mode, samples }: DecodedPicture): boolean {
  const channels = CHANNELS[mode];
  const colours = new Map<number, Colour>();
  for (let pixel = 0; pixel < width * height; pixel++) {
    let key = 0;
    for (let channel = 0; channel < channels; channel++)
      key = key * 256 + (samples[pixel * channels + channel] ?? 0);
    const colour = colours.get(key) ?? { count: 0, sumX: 0, sumY: 0 };
    colours.set(key, colour);
    colour.count += 1;
    colour.sumX += pixel % width;
    colour.sumY += Math.floor(pixel / width);
  }
  const sorted = [...colours].sort(([a], [b]) => a - b).map(([, colour]) => colour);
  const byCount = argsort(sorted.map(({ count }) => count));
  const second = sorted[byCount[1] ?? sorted.length];
  if (second === undefined) return false;
  const isMiddle = (sum: number, size: number) => Math.abs(sum / second.count - size / 2) < MARGIN * size;
  return isMiddle(second.sumX, width) && isMiddle(second.sumY, height);
}
