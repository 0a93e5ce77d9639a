// Metrics of brightness, contrast and saturation.

import { convert } from '../../formats/picture/convert.ts';
import { CHANNELS, type DecodedPicture } from '../../formats/picture/picture.ts';
import { type Metrics, pass } from '../metric.ts';
import { pairMetric, readExpected, readResult } from './read-picture.ts';
import { isSameByDifferences, isSameStructure } from './same-structure.ts';

/** Both pictures are brought to this brightness before they are compared. */
const COMPARED_BRIGHTNESS = 128;
const MAX_MEAN_SQUARE = 0.03;
/** More contrast changes the structure too. */
const CONTRAST_THRESHOLD = 0.65;

export const TONE_METRICS = {
  /** The result is darker and else the same. */
  check_brightness_decrease_and_structure_sim: async (result, expected, { threshold }) => {
    const found = await readResult(result);
    if (found === undefined) return 0;
    const wanted = await readExpected(expected, 'check_brightness_decrease_and_structure_sim');
    if (found.mode === 'I;16' || wanted.mode === 'I;16') return 0;
    const [foundBrightness, wantedBrightness] = [brightness(found), brightness(wanted)];
    if (foundBrightness === 0 || foundBrightness >= wantedBrightness) return 0;
    const [a, b] = [brightened(found, foundBrightness), brightened(wanted, wantedBrightness)];
    return pass(isSameByDifferences(a, b, typeof threshold === 'number' ? threshold : MAX_MEAN_SQUARE));
  },

  /** The result has more contrast and a similar structure. */
  check_contrast_increase_and_structure_sim: pairMetric(
    'check_contrast_increase_and_structure_sim',
    (found, wanted) =>
      pass(variance(found) > variance(wanted) && isSameStructure(found, wanted, CONTRAST_THRESHOLD)),
  ),

  /** The result has more saturation, and hue and value have the same structure. */
  check_saturation_increase_and_structure_sim: pairMetric(
    'check_saturation_increase_and_structure_sim',
    (found, wanted) => {
      if (hasTransparentColour(found) || hasTransparentColour(wanted)) return 0;
      const [a, b] = [convert(found, 'HSV'), convert(wanted, 'HSV')];
      return pass(
        meanOf(a, SATURATION) > meanOf(b, SATURATION) &&
          [HUE, VALUE].every(channel => isSameStructure(channelOf(a, channel), channelOf(b, channel))),
      );
    },
  ),

  /** The second picture has more saturation. */
  increase_saturation: pairMetric('increase_saturation', (first, second) =>
    pass(meanOf(convert(first, 'HSV'), SATURATION) < meanOf(convert(second, 'HSV'), SATURATION)),
  ),

  /** The second picture is darker. */
  decrease_brightness: pairMetric('decrease_brightness', (first, second) =>
    pass(brightness(first) > brightness(second)),
  ),
} satisfies Metrics;

/** OSWorld cannot compare single channels of a picture with three of them and a transparent colour. */
const hasTransparentColour = ({ mode, isMarkedTransparent }: DecodedPicture): boolean =>
  mode === 'RGB' && isMarkedTransparent;

const [HUE, SATURATION, VALUE] = [0, 1, 2] as const;

function channelOf(picture: DecodedPicture, channel: number): DecodedPicture {
  const { width, height, mode, samples, isMarkedTransparent } = picture;
  const step = CHANNELS[mode];
  const plane = new Uint8Array(width * height);
  for (let pixel = 0; pixel < plane.length; pixel++) plane[pixel] = samples[pixel * step + channel] ?? 0;
  return { width, height, mode: 'L', samples: plane, isMarkedTransparent };
}

function meanOf(picture: DecodedPicture, channel: number): number {
  const { samples } = channelOf(picture, channel);
  let sum = 0;
  for (const sample of samples) sum += sample;
  return sum / samples.length;
}

const brightness = (picture: DecodedPicture): number => meanOf(convert(picture, 'L'), 0);

/** As in OSWorld, the samples themselves change: of a picture with a palette those are the indices. */
function brightened(picture: DecodedPicture, current: number): DecodedPicture {
  const factor = COMPARED_BRIGHTNESS / current;
  const changed = Uint8Array.from(picture.samples, sample => Math.min(255, Math.trunc(sample * factor)));
  const samples = picture.mode === '1' ? changed.map(sample => (sample > 0 ? 255 : 0)) : changed;
  return { ...picture, samples };
}

/** As in OSWorld, over all channels together: alpha counts, and of a palette the indices do. Black and white are 0 and 1. */
function variance({ mode, samples }: DecodedPicture): number {
  const scale = mode === '1' ? 1 / 255 : 1;
  let [sum, squares] = [0, 0];
  for (const sample of samples) {
    sum += sample * scale;
    squares += (sample * scale) ** 2;
  }
  return squares / samples.length - (sum / samples.length) ** 2;
}
