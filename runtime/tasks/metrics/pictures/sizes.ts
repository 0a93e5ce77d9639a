// Metrics of the size of a picture and of its file.

import { convert } from '../../formats/picture/convert.ts';
import { type OpenPicture, PictureError } from '../../formats/picture/picture.ts';
import { opaqueBox } from '../../formats/picture/shape.ts';
import { isFile, MetricError, type Metrics, pass, rulesOf } from '../metric.ts';
import { openResult } from './read-picture.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

export const SIZE_METRICS = {
  /** The picture has the `width` and the `height`; null is any. With `ignore_transparent` only its opaque part counts. */
  check_image_size: async (result, expected) => {
    const { width, height, ignore_transparent: ignoresTransparent } = rulesOf(expected);
    const picture = openResult(result);
    if (picture === undefined) return 0;
    // OSWorld leaves the transparent part out of every picture that marks a colour as transparent.
    const hasAlpha = picture.mode === 'RGBA' || picture.mode === 'LA';
    const isPart = (Boolean(ignoresTransparent) && hasAlpha) || picture.isMarkedTransparent;
    const size = isPart ? await opaqueSize(picture) : picture;
    const holds = (wanted: unknown, actual: number) =>
      wanted === undefined || wanted === null || wanted === actual;
    return pass(size !== undefined && holds(width, size.width) && holds(height, size.height));
  },

  /** The file has less than `max_size` bytes. */
  check_image_file_size: (result, expected) => {
    const { max_size: limit } = rulesOf(expected);
    if (!isFile(result)) return 0;
    if (typeof limit !== 'number')
      throw new MetricError(
        `check_image_file_size needs the rule max_size, but it is ${JSON.stringify(limit) ?? 'missing'}. Give a number of bytes.`,
      );
    return pass(result.bytes.length < limit);
  },
} satisfies Metrics;

async function opaqueSize(picture: OpenPicture): Promise<Size | undefined> {
  try {
    const box = opaqueBox(convert(await picture.decode(), 'RGBA'));
    return box ? { width: box.right - box.left, height: box.bottom - box.top } : { width: 0, height: 0 };
  } catch (error) {
    if (error instanceof PictureError) return undefined;
    throw error;
  }
}
