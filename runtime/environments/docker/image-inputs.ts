// What the images are built from, and what they are called because of it: other inputs, another name. So an image that is there
// under its name is the right one, and nobody need remember to build it anew.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TarFile, tarOf } from './tar.ts';

export const IMAGE_KINDS = ['small', 'large'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];

/** The files of the folder, in the order of their paths. */
export type ImageInputs = readonly TarFile[];

/** Characters of the hash: a clash is out of the question, and a name can still be read. */
const DIGITS = 12;
/** The line of the large one's Dockerfile that says what it is built on. */
const BASE = /^ARG SMALL=.*$/m;

/** Beside this program once it is bundled, and beside this file before. */
export function inputsFolder(): string {
  const places = ['docker/', 'images/'].map(place => fileURLToPath(new URL(place, import.meta.url)));
  const found = places.find(place => existsSync(join(place, 'small', 'Dockerfile')));
  if (found === undefined)
    throw new Error(
      `What the images are built from is not in ${places[0]}: build or install Dartboard again.`,
    );
  return found;
}

export async function readInputs(folder: string): Promise<ImageInputs> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.map(async (path): Promise<TarFile> => {
    const data = await readFile(path);
    // Whether a file may be run is lost where a package is unpacked; how a script begins is not.
    const isProgram = data.subarray(0, 2).toString() === '#!';
    return { path: relative(folder, path).split(sep).join('/'), data, isProgram };
  });
  return (await Promise.all(files)).sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** `dartboard-small:1f00c0ffee12` */
export function imageTag(kind: ImageKind, inputs: ImageInputs): string {
  const hash = createHash('sha256');
  if (kind === 'large') hash.update(imageTag('small', inputs));
  for (const { path, data } of inputsOf(kind, inputs)) hash.update(`${path}\0${data.length}\0`).update(data);
  return `${nameOf(kind)}:${hash.digest('hex').slice(0, DIGITS)}`;
}

export const nameOf = (kind: ImageKind): string => `dartboard-${kind}`;

export const fileOf = (kind: ImageKind): string => `${kind}/Dockerfile`;

/** What an engine builds the image from. */
export function contextOf(kind: ImageKind, inputs: ImageInputs): Buffer {
  const files = inputsOf(kind, inputs);
  if (kind === 'small') return tarOf(files);
  const base = `ARG SMALL=${imageTag('small', inputs)}`;
  return tarOf(
    files.map(file =>
      file.path === fileOf(kind)
        ? { ...file, data: Buffer.from(Buffer.from(file.data).toString('utf8').replace(BASE, base)) }
        : file,
    ),
  );
}

/** The large one's own are in its folder; all others are the small one's. */
const inputsOf = (kind: ImageKind, inputs: ImageInputs): ImageInputs =>
  inputs.filter(({ path }) => path.startsWith('large/') === (kind === 'large'));
