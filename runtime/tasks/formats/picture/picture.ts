// A picture in memory, in the modes of Pillow, and a picture whose header alone was read.

export class PictureError extends Error {
  override readonly name = 'PictureError';
}

/** The modes have the names and meanings that Pillow gives them. `1` has the samples 0 and 255. */
export type PictureMode = '1' | 'L' | 'LA' | 'P' | 'RGB' | 'RGBA' | 'HSV' | 'I;16';

export const CHANNELS: Readonly<Record<PictureMode, number>> = {
  1: 1,
  L: 1,
  LA: 2,
  P: 1,
  RGB: 3,
  RGBA: 4,
  HSV: 3,
  'I;16': 1,
};

export interface PictureHeader {
  readonly width: number;
  readonly height: number;
  readonly mode: PictureMode;
  /** The file marks a colour, or alphas of a palette, as transparent. An alpha channel alone is no mark. */
  readonly isMarkedTransparent: boolean;
}

export interface DecodedPicture extends PictureHeader {
  /** Row by row; the channels of a pixel follow one another. */
  readonly samples: Uint8Array | Uint16Array;
  /** 256 colours of red, green, blue and alpha, for mode P. */
  readonly palette?: Uint8Array;
  /** The colour that counts as transparent, one number for each channel, for pictures without alpha and palette. */
  readonly transparentColour?: readonly number[];
}

/** A file with a valid header. Its pixels may still be damaged: `decode` throws a PictureError then. */
export interface OpenPicture extends PictureHeader {
  readonly format: 'png' | 'jpeg' | 'gif' | 'bmp';
  decode(): Promise<DecodedPicture>;
  /** The greys that OpenCV reads; absent where it computes them from the pixels. */
  greys?(): Promise<DecodedPicture>;
}

/** Pillow refuses larger pictures too. */
const MAX_PIXELS = 178_956_970;

export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1 || width * height > MAX_PIXELS)
    throw new PictureError(
      `A picture of ${width} × ${height} pixels is not supported. Use 1 to ${MAX_PIXELS} pixels.`,
    );
}

/** 256 black and opaque colours, which a file overwrites from the first. */
export function emptyPalette(): Uint8Array {
  const palette = new Uint8Array(256 * 4);
  for (let index = 3; index < palette.length; index += 4) palette[index] = 255;
  return palette;
}

/** Reads big-endian or little-endian numbers of a file. A number beyond its end is a PictureError. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export const isTruncation = (error: unknown): boolean => error instanceof RangeError;
