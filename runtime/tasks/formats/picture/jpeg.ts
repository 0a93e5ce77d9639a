// Reads JPEG files. The decoder is a WebAssembly build of a descendant of libjpeg-turbo: its pixels equal those of Pillow.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { checkSize, type DecodedPicture, type OpenPicture, PictureError, viewOf } from './picture.ts';

type Decode = typeof import('@jsquash/jpeg/decode.js')['default'];

let decoder: Promise<Decode> | undefined;

export function openJpeg(bytes: Uint8Array): OpenPicture {
  const { width, height, channels } = frameOf(bytes);
  checkSize(width, height);
  if (channels !== 1 && channels !== 3)
    throw new PictureError(`A JPEG file with ${channels} channels is not supported. Use grey or colour.`);
  const header = { width, height, mode: channels === 1 ? 'L' : 'RGB', isMarkedTransparent: false } as const;
  return {
    format: 'jpeg',
    ...header,
    decode: async (): Promise<DecodedPicture> => {
      requireEnd(bytes);
      decoder ??= loadDecoder();
      const rgba = await decoded(await decoder, bytes);
      const samples = new Uint8Array(width * height * channels);
      for (let pixel = 0; pixel < width * height; pixel++)
        for (let channel = 0; channel < channels; channel++)
          samples[pixel * channels + channel] = rgba[4 * pixel + channel] ?? 0;
      return { ...header, samples };
    },
  };
}

/** Each marker with the place of its segment, as far as the file goes. */
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

const END = 0xd9;
const START_OF_SCAN = 0xda;

/** The frame header, which stands before the pixels. */
function frameOf(bytes: Uint8Array): { width: number; height: number; channels: number } {
  const view = viewOf(bytes);
  let frame: { width: number; height: number; channels: number } | undefined;
  for (const { marker, start } of markersOf(view)) {
    if (marker >= 0xc0 && marker <= 0xc2)
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

/** The decoder fills the missing part of a truncated file with grey. Throws a RangeError if the file has no end. */
function requireEnd(bytes: Uint8Array): void {
  for (const { marker } of markersOf(viewOf(bytes))) if (marker === END) return;
}

async function loadDecoder(): Promise<Decode> {
  const { default: decode, init } = await import('@jsquash/jpeg/decode.js');
  const path = createRequire(import.meta.url).resolve('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm');
  const wasmBinary = await readFile(path);
  // Its messages about damaged files would appear in the terminal.
  const options = { noInitialRun: true, wasmBinary, printErr: () => undefined };
  await init(options);
  return decode;
}

async function decoded(decode: Decode, bytes: Uint8Array): Promise<Uint8ClampedArray> {
  try {
    return (await decode(Uint8Array.from(bytes).buffer)).data;
  } catch (error) {
    throw new PictureError('The JPEG file is damaged or truncated.', { cause: error });
  }
}
