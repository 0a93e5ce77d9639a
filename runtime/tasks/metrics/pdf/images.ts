// A metric of the images of PDF files.

import { isWebPage } from '../../formats/html/printed-text.ts';
import { PdfError, type PdfImage, type PdfPage } from '../../formats/pdf/open-pdf.ts';
import { convert } from '../../formats/picture/convert.ts';
import { openPicture } from '../../formats/picture/open-picture.ts';
import { type DecodedPicture, type OpenPicture, PictureError } from '../../formats/picture/picture.ts';
import { LANCZOS, resize } from '../../formats/picture/resize.ts';
import { HASHED_SIZE, hashDistance, perceptualHash } from '../../similarity/perceptual-hash.ts';
import { isFile, type Metrics } from '../metric.ts';
import { readExpectedPages, readResultPages } from './read-pdf.ts';

/** Of the 64 bits of a hash, so many may differ. */
const MAX_DIFFERENT_BITS = 5;

export const PDF_IMAGE_METRICS = {
  /**
   * The share of images that look like their partner. Files with different numbers of images score 0, two without any score 1. A web page
   * has none.
   */
  compare_pdf_images: async (result, expected) => {
    if (!isFile(result)) return 0;
    const found = isWebPage(result.bytes) ? [] : (await readResultPages(result, hashesOf, true))?.flat();
    if (found === undefined) return 0;
    const wanted = (await readExpectedPages(expected, 'compare_pdf_images', hashesOf, true)).flat();
    if (found.length !== wanted.length) return 0;
    if (found.length === 0) return 1;
    const same = found.filter((hash, index) => hashDistance(hash, wanted[index] ?? []) <= MAX_DIFFERENT_BITS);
    return same.length / found.length;
  },
} satisfies Metrics;

const hashesOf = ({ images }: PdfPage): Promise<readonly (readonly boolean[])[]> =>
  Promise.all(
    [...images.values()].map(async image => {
      const grey = convert(await pictureOf(image), 'L');
      return perceptualHash(resize(grey, HASHED_SIZE, HASHED_SIZE, LANCZOS).samples);
    }),
  );

async function pictureOf({ width, height, channels, samples, jpeg }: PdfImage): Promise<DecodedPicture> {
  const file = jpeg && openJpegFile(jpeg);
  if (file === undefined)
    return {
      ...{ width, height, samples, isMarkedTransparent: false },
      mode: channels === 1 ? 'L' : channels === 3 ? 'RGB' : 'RGBA',
    };
  try {
    return await file.decode();
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    throw new PdfError('An image of the PDF file is damaged.', { cause: error });
  }
}

/** Undefined for files that only the PDF library reads, such as those with four channels. */
function openJpegFile(bytes: Uint8Array): OpenPicture | undefined {
  try {
    return openPicture(bytes);
  } catch (error) {
    if (error instanceof PictureError) return undefined;
    throw error;
  }
}
