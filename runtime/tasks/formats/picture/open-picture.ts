// Recognizes the format of a picture by its first bytes, as Pillow does; the name of the file does not matter.

import { openBmp } from './bmp.ts';
import { openGif } from './gif.ts';
import { openJpeg } from './jpeg.ts';
import { type DecodedPicture, isTruncation, type OpenPicture, PictureError } from './picture.ts';
import { openPng } from './png.ts';

const FORMATS: readonly (readonly [start: readonly number[], open: (bytes: Uint8Array) => OpenPicture])[] = [
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], openPng],
  [[0xff, 0xd8, 0xff], openJpeg],
  [[0x47, 0x49, 0x46, 0x38], openGif],
  [[0x42, 0x4d], openBmp],
];

/** Reads the header. Throws a PictureError for bytes that are no picture. */
export function openPicture(bytes: Uint8Array): OpenPicture {
  const open = FORMATS.find(([start]) => start.every((byte, index) => bytes[index] === byte))?.[1];
  if (open === undefined)
    throw new PictureError('The bytes are no picture. Use a PNG, JPEG, GIF or BMP file.');
  return guarded(() => open(bytes));
}

function guarded(open: () => OpenPicture): OpenPicture {
  try {
    const { decode, greys, ...header } = open();
    return { ...header, decode: guardedRead(decode), ...(greys && { greys: guardedRead(greys) }) };
  } catch (error) {
    throw pictureError(error);
  }
}

const guardedRead = (read: () => Promise<DecodedPicture>) => async (): Promise<DecodedPicture> => {
  try {
    return await read();
  } catch (error) {
    throw pictureError(error);
  }
};

/** A read beyond the end of the file is a RangeError. */
const pictureError = (error: unknown): unknown =>
  isTruncation(error) ? new PictureError('The picture is truncated.', { cause: error }) : error;
