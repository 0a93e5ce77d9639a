// Metric of the pictures in documents.

import type { Docx } from '../../formats/document/docx.ts';
import { openPicture } from '../../formats/picture/open-picture.ts';
import { type DecodedPicture, PictureError } from '../../formats/picture/picture.ts';
import { expectedFile, MetricError, type Metrics } from '../metric.ts';
import { openPair } from './open-documents.ts';

export const PICTURE_COMPARISONS = {
  /** Two documents have pictures with the same samples, in the order in which the file lists them. */
  compare_docx_images: async (result, expected) => {
    const pair = openPair(result, expected, 'compare_docx_images');
    if (pair === undefined) return 0;
    const [found, wanted] = pair.map(picturesOf);
    if (found === undefined || wanted === undefined || found.length !== wanted.length) return 0;
    for (const [index, bytes] of found.entries()) {
      if (isUndecoded(bytes) && haveSameBytes(bytes, wanted[index])) continue;
      const gold = await decode(wanted[index]);
      if (gold === undefined) throw unreadable(expectedFile(expected, 'compare_docx_images').name);
      const picture = await decode(bytes);
      if (picture === undefined || !haveSameSamples(picture, gold)) return 0;
    }
    return 1;
  },
} satisfies Metrics;

/** The bytes of the pictures of the main part. A linked picture has none and makes the document unreadable for OSWorld. */
const picturesOf = ({ package: parts, relationships }: Docx): readonly (Uint8Array | undefined)[] =>
  [...relationships.values()]
    .filter(({ type }) => type.includes('image'))
    .map(({ target, isExternal }) => (isExternal ? undefined : parts.bytes(target)));

/** A TIFF or WEBP picture, which only Pillow can decode: it passes if its bytes are the same. */
const isUndecoded = (bytes: Uint8Array | undefined): bytes is Uint8Array =>
  bytes !== undefined && UNDECODED.test(new TextDecoder('latin1').decode(bytes.subarray(0, 12)));

const UNDECODED = /^(II\*\0|MM\0\*|RIFF.{4}WEBP)/s;

const haveSameBytes = (first: Uint8Array, second: Uint8Array | undefined): boolean =>
  second !== undefined &&
  first.length === second.length &&
  first.every((byte, index) => byte === second[index]);

async function decode(bytes: Uint8Array | undefined): Promise<DecodedPicture | undefined> {
  if (bytes === undefined) return undefined;
  try {
    return await openPicture(bytes).decode();
  } catch (error) {
    if (error instanceof PictureError) return undefined;
    throw error;
  }
}

/** Only the samples count, as in OSWorld: neither the width nor the palette. */
function haveSameSamples(first: DecodedPicture, second: DecodedPicture): boolean {
  const isPlain = [first, second].every(({ mode }) => mode !== '1' && mode !== 'I;16');
  if (!isPlain && first.mode !== second.mode) return false;
  const [samples, others] = [first.samples, second.samples];
  return samples.length === others.length && samples.every((sample, index) => sample === others[index]);
}

const unreadable = (name: string): MetricError =>
  new MetricError(
    `compare_docx_images cannot read a picture of the expected file ${JSON.stringify(name)}. Use PNG, JPEG, GIF or BMP.`,
  );
