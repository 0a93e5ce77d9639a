// Reads JPEG files. The decoder is a WebAssembly build of a descendant of libjpeg-turbo: its pixels equal those of Pillow and OpenCV.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { convert } from './convert.ts';
import { frameOf, planesAsColours, requireEnd, storesBrightness } from './jpeg-segments.ts';
import { checkSize, type DecodedPicture, type OpenPicture, PictureError } from './picture.ts';

type Decode = typeof import('@jsquash/jpeg/decode.js')['default'];

let decoder: Promise<Decode> | undefined;

export function openJpeg(bytes: Uint8Array): OpenPicture {
  const { width, height, channels } = frameOf(bytes);
  checkSize(width, height);
  if (channels !== 1 && channels !== 3)
    throw new PictureError(`A JPEG file with ${channels} channels is not supported. Use grey or colour.`);
  const mode = channels === 1 ? 'L' : 'RGB';
  const shape = { width, height, isMarkedTransparent: false };
  return {
    ...{ format: 'jpeg', ...shape, mode },
    // Pillow refuses a truncated file.
    decode: async (): Promise<DecodedPicture> => {
      requireEnd(bytes);
      return { ...shape, mode, samples: channelsOf(await rgbaOf(bytes), channels) };
    },
    // OpenCV takes the plane of the brightness as it is, and fills the missing part of a truncated file.
    greys: async (): Promise<DecodedPicture> => {
      if (mode === 'RGB' && !storesBrightness(bytes))
        return convert({ ...shape, mode, samples: channelsOf(await rgbaOf(bytes), channels) }, 'L');
      const planes = await rgbaOf(mode === 'RGB' ? planesAsColours(bytes) : bytes);
      return { ...shape, mode: 'L', samples: channelsOf(planes, 1) };
    },
  };
}

/** The first channels of each pixel. */
function channelsOf(rgba: Uint8ClampedArray, channels: number): Uint8Array {
  const samples = new Uint8Array((rgba.length / 4) * channels);
  for (let pixel = 0; pixel < rgba.length / 4; pixel++)
    for (let channel = 0; channel < channels; channel++)
      samples[pixel * channels + channel] = rgba[4 * pixel + channel] ?? 0;
  return samples;
}

async function rgbaOf(bytes: Uint8Array): Promise<Uint8ClampedArray> {
  decoder ??= loadDecoder();
  const decode = await decoder;
  try {
    return (await decode(Uint8Array.from(bytes).buffer)).data;
  } catch (error) {
    throw new PictureError('The JPEG file is damaged or truncated.', { cause: error });
  }
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
