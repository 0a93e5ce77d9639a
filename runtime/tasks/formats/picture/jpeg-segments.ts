// Reads the segments of JPEG files that describe the pixels: their markers, the frame header, and the meaning of the planes.

import { PictureError, viewOf } from './picture.ts';

export interface JpegFrame {
  readonly width: number;
  readonly height: number;
  /** The number of planes. */
  readonly channels: number;
}

const END = 0xd9;
const START_OF_SCAN = 0xda;
const JFIF = 0xe0;
const ADOBE = 0xee;

/** Baseline, extended or progressive. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;

/** Each marker with the place of its segment. Throws a RangeError at the end of the bytes. */
function* markersOf(view: DataView): Generator<{ readonly marker: number; readonly start: number }> {
  for (let offset = 2; ; ) {
    while (view.getUint8(offset) !== 0xff) offset += 1;
    while (view.getUint8(offset) === 0xff) offset += 1;
    const marker = view.getUint8(offset);
    const start = offset + 1;
    // Among pixels 255 is followed by 0, and marks for resynchronization have no segment.
    const hasSegment = marker !== 0 && (marker < 0xd0 || marker > 0xd9);
    if (marker !== 0) yield { marker, start };
    offset = hasSegment ? start + view.getUint16(start) : start;
  }
}

/** The frame header, which precedes the pixels. */
export function frameOf(bytes: Uint8Array): JpegFrame {
  const view = viewOf(bytes);
  let frame: JpegFrame | undefined;
  for (const { marker, start } of markersOf(view)) {
    if (isFrame(marker))
      frame = {
        height: view.getUint16(start + 3),
        width: view.getUint16(start + 5),
        channels: view.getUint8(start + 7),
      };
    if (marker === START_OF_SCAN && frame !== undefined) return frame;
    if (marker === START_OF_SCAN || marker === END) break;
  }
  throw new PictureError('The JPEG file has no frame header.');
}

/** Throws a RangeError if the file has no end. */
export function requireEnd(bytes: Uint8Array): void {
  for (const { marker } of markersOf(viewOf(bytes))) if (marker === END) return;
}

/** Whether the first of three planes is the brightness, by the rules of libjpeg. Otherwise the planes are red, green and blue. */
export function storesBrightness(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  const nameAt = (start: number): string => String.fromCharCode(...bytes.subarray(start + 2, start + 7));
  let adobe: number | undefined;
  let planes = '';
  for (const { marker, start } of markersOf(view)) {
    if (marker === START_OF_SCAN) break;
    if (marker === JFIF && nameAt(start) === 'JFIF\0') return true;
    if (marker === ADOBE && nameAt(start) === 'Adobe') adobe = view.getUint8(start + 13);
    if (isFrame(marker))
      planes = String.fromCharCode(...[8, 11, 14].map(place => view.getUint8(start + place)));
  }
  return adobe === undefined ? planes !== 'RGB' : adobe !== 0;
}

/** The segment of Adobe that declares three planes as red, green and blue. */
const PLANES_ARE_COLOURS = [0xff, ADOBE, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0];

/** The same file with its planes declared as red, green and blue, so that a decoder returns each plane unchanged. */
export function planesAsColours(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const parts = [bytes.subarray(0, 2), Uint8Array.from(PLANES_ARE_COLOURS)];
  for (const { marker, start } of markersOf(view)) {
    if (marker === START_OF_SCAN) {
      parts.push(bytes.subarray(start - 2));
      break;
    }
    // Each of these two would declare the planes otherwise.
    if (marker !== JFIF && marker !== ADOBE)
      parts.push(bytes.subarray(start - 2, start + view.getUint16(start)));
  }
  return Buffer.concat(parts);
}
