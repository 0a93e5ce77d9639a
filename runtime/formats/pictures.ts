// Finds and checks the pictures of a foreign trajectory. A picture that is missing or unusable leaves a gap and a note.

import { pngSize } from '../core/png.ts';
import type { Size } from '../core/screen.ts';
import { MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS, MAX_PICTURES_BYTES } from './limits.ts';
import { baseOf, folderOf, joined } from './source/names.ts';
import { SourceError, type SourceFiles } from './source/source.ts';

/** The place of a picture that the source lacks. */
export const NO_PICTURE = new Uint8Array();

export interface LoadedPictures {
  /** In the given order. */
  readonly pictures: readonly Uint8Array[];
  readonly notes: readonly string[];
}

/** The name of a picture as the source writes it, or its bytes; undefined where it names none. */
export type PictureReference = string | Uint8Array | undefined;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Where data sets keep the pictures of the file in a folder. */
const PICTURE_FOLDERS = ['', 'images', 'screenshots'];

interface PictureSearch {
  /** Also in the picture folders of the whole source: for formats whose names of pictures are unique. */
  readonly atRoot?: boolean;
}

/** `file` is the file that refers to them. */
export async function loadPictures(
  references: readonly PictureReference[],
  file: string,
  source: SourceFiles,
  options: PictureSearch = {},
): Promise<LoadedPictures> {
  const pictures: Uint8Array[] = [];
  const problems: string[] = [];
  let total = 0;
  for (const reference of references) {
    const found = await pictureOf(reference, file, source, options);
    if (typeof found === 'string') problems.push(found);
    const picture = typeof found === 'string' ? NO_PICTURE : found;
    total += picture.length;
    if (total > MAX_PICTURES_BYTES)
      throw new SourceError(
        `The pictures of the trajectory in '${file}' exceed ${MAX_PICTURES_BYTES} bytes. Make them smaller, or import its actions alone.`,
      );
    pictures.push(picture);
  }
  while (pictures.at(-1)?.length === 0) pictures.pop();
  const [first, ...others] = problems;
  return {
    pictures,
    notes:
      first === undefined
        ? []
        : [others.length === 0 ? first : `${first} The same holds for ${others.length} more pictures.`],
  };
}

/** The bytes, or what is wrong with them. An unnamed picture is no problem: many formats have none at some places. */
async function pictureOf(
  reference: PictureReference,
  file: string,
  source: SourceFiles,
  options: PictureSearch,
): Promise<Uint8Array | string> {
  if (reference === undefined) return NO_PICTURE;
  if (typeof reference !== 'string') return whyUnusable(reference, 'A picture in the file') ?? reference;
  const name = nameIn(reference, file, source, options);
  if (name === undefined) return `The picture '${shortened(reference)}' is missing.`;
  try {
    const png = await source.read(name, MAX_PICTURE_BYTES);
    return whyUnusable(png, `The picture '${shortened(reference)}'`) ?? png;
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
}

/** Only names of the list of the source: a reference cannot leave it. */
function nameIn(
  reference: string,
  file: string,
  source: SourceFiles,
  { atRoot = false }: PictureSearch,
): string | undefined {
  const plain = reference.replace(/^\.\//, '');
  const places = [folderOf(file), ...(atRoot ? [''] : [])];
  const candidates = [plain, baseOf(plain)].flatMap(name =>
    PICTURE_FOLDERS.flatMap(folder => places.map(place => joined(place, joined(folder, name)))),
  );
  return candidates.find(name => source.has(name));
}

function whyUnusable(png: Uint8Array, what: string): string | undefined {
  const { width, height } = pngSize(png);
  if (SIGNATURE.some((byte, at) => png[at] !== byte) || width === 0 || height === 0)
    return `${what} is no PNG.`;
  return width * height > MAX_PICTURE_PIXELS
    ? `${what} has ${width} × ${height} pixels, more than ${MAX_PICTURE_PIXELS}.`
    : undefined;
}

/** Of the first picture that exists. */
export function screenIn(pictures: readonly Uint8Array[], otherwise: Size): Size {
  const first = pictures.find(({ length }) => length > 0);
  return first === undefined ? otherwise : pngSize(first);
}

export const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
