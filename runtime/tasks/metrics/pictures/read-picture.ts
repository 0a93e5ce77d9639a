// Opens the pictures that a metric compares.

import { openPicture } from '../../formats/picture/open-picture.ts';
import { type DecodedPicture, type OpenPicture, PictureError } from '../../formats/picture/picture.ts';
import { expectedFile, isFile, type Metric, MetricError, type TaskFile } from '../metric.ts';

/** The header of a result; undefined if it is no picture. */
export function openResult(result: unknown): OpenPicture | undefined {
  if (!isFile(result)) return undefined;
  try {
    return openPicture(result.bytes);
  } catch (error) {
    if (error instanceof PictureError) return undefined;
    throw error;
  }
}

type Read = (picture: OpenPicture) => Promise<DecodedPicture>;

const pixelsOf: Read = picture => picture.decode();

/** As OpenCV reads a picture when greys suffice: also a truncated JPEG file. */
export const openCvPixels: Read = picture => picture.greys?.() ?? picture.decode();

/** The pixels of a result; undefined if it is no picture or a damaged one. */
export async function readResult(
  result: unknown,
  read: Read = pixelsOf,
): Promise<DecodedPicture | undefined> {
  try {
    const picture = openResult(result);
    return picture && (await read(picture));
  } catch (error) {
    if (error instanceof PictureError) return undefined;
    throw error;
  }
}

export async function readExpected(
  expected: unknown,
  metric: string,
  read: Read = pixelsOf,
): Promise<DecodedPicture> {
  const file = expectedFile(expected, metric);
  try {
    return await read(openPicture(file.bytes));
  } catch (error) {
    throw unreadable(file, metric, error);
  }
}

function unreadable({ name, bytes }: TaskFile, metric: string, error: unknown): unknown {
  if (!(error instanceof PictureError)) return error;
  return new MetricError(
    `${metric} cannot read the expected picture ${JSON.stringify(name)} of ${bytes.length} bytes: ${error.message}`,
    { cause: error },
  );
}

/** A metric of two pictures. A result that is no picture scores 0. */
export const pairMetric =
  (
    name: string,
    compare: (result: DecodedPicture, expected: DecodedPicture) => number,
    read: Read = pixelsOf,
  ): Metric =>
  async (result, expected) => {
    const found = await readResult(result, read);
    if (found === undefined) return 0;
    const wanted = await readExpected(expected, name, read);
    try {
      return compare(found, wanted);
    } catch (error) {
      // A mode that the metric has no meaning for, such as 16 bits for each sample.
      if (error instanceof PictureError) return 0;
      throw error;
    }
  };
