// Metrics that compare the pixels of two pictures, or of two lists of pictures.

import { convert } from '../../formats/picture/convert.ts';
import { CHANNELS, type DecodedPicture, PictureError } from '../../formats/picture/picture.ts';
import { LANCZOS, resize } from '../../formats/picture/resize.ts';
import { MIN_SSIM_SIZE, structuralSimilarity } from '../../similarity/structural-similarity.ts';
import { MetricError, type Metrics, type Options } from '../metric.ts';
import { pairMetric, readExpected, readResult } from './read-picture.ts';

/** The part of the similarity above the base that counts as no progress. */
const MIN_PROGRESS = 0.01;

export const SIMILARITY_METRICS = {
  /** The similarity in grey, at the size of the smaller picture; with `reference_base_result` the progress from there to 1. */
  compare_images: async (result, expected, options) =>
    pairMetric('compare_images', (found, wanted) => scoreOf(greySimilarity(found, wanted), options))(
      result,
      expected,
      options,
    ),

  /** Each picture of a list equals its partner, which decides the size and the mode. */
  compare_image_list: async (result, expected) => {
    const [found, wanted] = Array.isArray(result) ? [result, expected] : [[result], [expected]];
    if (!Array.isArray(wanted))
      throw new MetricError(
        'compare_image_list got a list as result and no list as expected. Give both as lists.',
      );
    for (const [index, each] of found.slice(0, wanted.length).entries()) {
      const picture = await readResult(each);
      if (picture === undefined) return 0;
      if (!isSame(picture, await readExpected(wanted[index], 'compare_image_list'))) return 0;
    }
    return 1;
  },
} satisfies Metrics;

function greySimilarity(found: DecodedPicture, wanted: DecodedPicture): number {
  const isFoundSmaller =
    found.width < wanted.width || (found.width === wanted.width && found.height <= wanted.height);
  const { width, height } = isFoundSmaller ? found : wanted;
  if (Math.min(width, height) < MIN_SSIM_SIZE) return 0;
  const [a, b] = [found, wanted].map(picture => {
    const { samples } = resize(convert(picture, 'L'), width, height, LANCZOS);
    return { samples, offset: 0, step: 1 };
  });
  return a && b ? structuralSimilarity(a, b, width, height) : 0;
}

/** OSWorld also returns negative similarities. A score of ours is never below 0. */
function scoreOf(similarity: number, { reference_base_result: base }: Options): number {
  if (typeof base !== 'number') return Math.max(0, similarity);
  return similarity >= base + MIN_PROGRESS ? (similarity - base) / (1 - base) : 0;
}

/** Pictures with alpha are the same if their alphas are: OSWorld looks at no other channel of their difference. */
function isSame(found: DecodedPicture, wanted: DecodedPicture): boolean {
  if (found.mode === 'I;16' || wanted.mode === 'I;16') return false;
  const picture = tryConvert(resize(found, wanted.width, wanted.height, LANCZOS), wanted);
  if (picture === undefined) return false;
  const channels = CHANNELS[wanted.mode];
  const hasAlpha = wanted.mode === 'LA' || wanted.mode === 'RGBA';
  return wanted.samples.every(
    (sample, index) => (hasAlpha && (index + 1) % channels !== 0) || picture.samples[index] === sample,
  );
}

/** Pillow dithers colours to a palette of its own. Its indices do not equal those of a drawn picture. */
function tryConvert(picture: DecodedPicture, { mode }: DecodedPicture): DecodedPicture | undefined {
  try {
    return convert(picture, mode);
  } catch (error) {
    if (error instanceof PictureError) return undefined;
    throw error;
  }
}
