// Picture files of cases in many formats and modes, and damaged ones.

import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import { bmpOf, gifOf } from './pictures-gif-bmp.ts';
import { jpegOf } from './pictures-jpeg.ts';
import { type PngForm, pngOf } from './pictures-png.ts';
import { pick, type Raster } from './pictures-raster.ts';

type Writer = (raster: Raster) => Uint8Array;

const png =
  (type: PngForm['type'], depth: PngForm['depth'] = 8, more: Partial<PngForm> = {}): Writer =>
  raster =>
    pngOf(raster, { type, depth, ...more });

/** Formats that keep colours: what agents usually save. */
const USUAL: Readonly<Record<string, Writer>> = {
  'colour.png': png('colour'),
  'alpha.png': png('colour-alpha'),
  'fine.jpg': raster => jpegOf(raster, { coarseness: 1 }),
  'small.jpeg': raster => jpegOf(raster, { coarseness: 3, isSubsampled: true }),
};

const UNUSUAL: Readonly<Record<string, Writer>> = {
  'interlaced.png': png('colour', 8, { isInterlaced: true }),
  'grey.png': png('grey'),
  'grey-4.png': png('grey', 4),
  'grey-16.png': png('grey', 16),
  'black-white.png': png('grey', 1),
  'grey-alpha.png': png('grey-alpha'),
  'grey-alpha-16.png': png('grey-alpha', 16),
  'deep.png': png('colour', 16),
  'deep-alpha.png': png('colour-alpha', 16, { isInterlaced: true }),
  'palette.png': png('palette'),
  'palette-4.png': png('palette', 4),
  'palette-2.png': png('palette', 2, { isInterlaced: true }),
  'palette-alpha.png': png('palette', 8, { isTransparent: true }),
  'marked.png': png('colour', 8, { isTransparent: true }),
  'grey-marked.png': png('grey', 8, { isTransparent: true }),
  'grey.jpg': raster => jpegOf(raster, { coarseness: 1, isGrey: true }),
  'coarse.jpg': raster => jpegOf(raster, { coarseness: 10, isSubsampled: true }),
  'picture.gif': raster => gifOf(raster, {}),
  'interlaced.gif': raster => gifOf(raster, { isInterlaced: true, isTransparent: true }),
  'grey.gif': raster => gifOf(raster, { isGrey: true }),
  'picture.bmp': raster => bmpOf(raster, { bits: 24 }),
  'palette.bmp': raster => bmpOf(raster, { bits: 8 }),
  'alpha.bmp': raster => bmpOf(raster, { bits: 32 }),
};

const PALETTES = ['palette.png', 'palette-4.png', 'palette-alpha.png', 'picture.gif', 'palette.bmp'];

export type PictureForm = (random: Random) => string;

/** Mostly what agents usually save. */
export const anyForm: PictureForm = random => pick(random, Object.keys(random.int(3) > 0 ? USUAL : UNUSUAL));

export const usualForm: PictureForm = random => pick(random, Object.keys(USUAL));

export const paletteForm: PictureForm = random => pick(random, PALETTES);

export function pictureFile(raster: Raster, form: string): TaskFile {
  const write = { ...USUAL, ...UNUSUAL }[form];
  if (write === undefined) throw new RangeError(`There is no form ${form}.`);
  return { name: form, bytes: write(raster) };
}

/** Null, an empty file, a text, or a file with a damage. */
export function damaged(random: Random, { name, bytes }: TaskFile): TaskFile | null {
  const end = Math.floor(bytes.length * (0.3 + random.next() * 0.6));
  return pick<TaskFile | null>(random, [
    null,
    { name, bytes: new Uint8Array(0) },
    { name, bytes: new TextEncoder().encode('<html>404 Not Found</html>') },
    { name, bytes: bytes.slice(0, end) },
    { name, bytes: bytes.slice(0, 20) },
  ]);
}
