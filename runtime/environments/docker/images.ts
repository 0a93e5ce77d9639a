// The images of desktops on one engine: found, loaded from a file, or built. The tag of an image contains a hash of its inputs, so an
// image with the right tag is up to date.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DockerHost } from './host.ts';
import { followProgress, hasZstd, loadImage, saveImage } from './image-files.ts';

export const IMAGE_KINDS = ['small', 'large'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];

export interface ImageInputs {
  readonly folder: string;
  /** Sorted by path. Paths are relative, with slashes. */
  readonly files: readonly { readonly path: string; readonly data: Uint8Array }[];
}

const HASH_DIGITS = 12;

/** The folder is beside the bundled program, or beside this source file. */
export function inputsFolder(): string {
  const folders = ['docker/', 'images/'].map(name => fileURLToPath(new URL(name, import.meta.url)));
  const found = folders.find(folder => existsSync(join(folder, 'small', 'Dockerfile')));
  if (found !== undefined) return found;
  throw new Error(
    `The files of the desktop images are not in ${folders[0]}. Build or install Dartboard again.`,
  );
}

export async function readInputs(folder: string): Promise<ImageInputs> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(
    paths.map(async path => ({
      path: relative(folder, path).split(sep).join('/'),
      data: await readFile(path),
    })),
  );
  return { folder, files: files.sort((one, other) => (one.path < other.path ? -1 : 1)) };
}

/** For example `dartboard-small:1f00c0ffee12`. */
export function imageTag(kind: ImageKind, inputs: ImageInputs): string {
  const hash = createHash('sha256');
  if (kind === 'large') hash.update(imageTag('small', inputs));
  for (const { path, data } of filesOf(kind, inputs)) hash.update(`${path}\0${data.length}\0`).update(data);
  return `dartboard-${kind}:${hash.digest('hex').slice(0, HASH_DIGITS)}`;
}

/** The folder `large` belongs to the large image, everything else to the small one. */
const filesOf = (kind: ImageKind, { files }: ImageInputs): ImageInputs['files'] =>
  files.filter(({ path }) => path.startsWith('large/') === (kind === 'large'));

export const hasImage = async (host: DockerHost, tag: string): Promise<boolean> =>
  (await host.images(tag)).length > 0;

export interface EnsureImageOptions {
  /** The folder of saved images; none by default. */
  readonly cache?: string;
  /** Builds the image even if it exists. */
  readonly again?: boolean;
  /** Receives the progress, line by line. */
  readonly progress: (line: string) => void;
}

/** Resolves with the tag once the image is on the host. */
export async function ensureImage(
  host: DockerHost,
  kind: ImageKind,
  inputs: ImageInputs,
  options: EnsureImageOptions,
): Promise<string> {
  const { cache, again = false, progress } = options;
  const tag = imageTag(kind, inputs);
  const saved = cache === undefined ? undefined : await cachedFile(cache, tag);
  const isSaved = saved !== undefined && existsSync(saved);
  const save = async (): Promise<void> => {
    if (saved === undefined) return;
    progress(`saving ${tag} to ${saved}`);
    await saveImage(host, tag, saved);
  };
  if (!again && (await hasImage(host, tag))) {
    if (!isSaved) await save();
    return tag;
  }
  if (!again && isSaved) {
    progress(`loading ${tag} from ${saved}`);
    await loadImage(host, saved);
    if (await hasImage(host, tag)) return tag;
    progress(`${saved} does not contain ${tag}`);
  }
  if (kind === 'large') await ensureImage(host, 'small', inputs, { ...options, again: false });
  await build(host, kind, inputs, progress);
  await save();
  return tag;
}

async function build(
  host: DockerHost,
  kind: ImageKind,
  inputs: ImageInputs,
  progress: (line: string) => void,
): Promise<void> {
  const tag = imageTag(kind, inputs);
  progress(`building ${tag}`);
  const paths = filesOf(kind, inputs).map(({ path }) => path);
  const log = await host.build(inputs.folder, paths, {
    tag,
    dockerfile: `${kind}/Dockerfile`,
    labels: { 'dartboard.image': kind },
    buildargs: kind === 'large' ? { SMALL: imageTag('small', inputs) } : {},
  });
  await followProgress(log, `build ${tag}`, `engine ${host.name}`, progress);
}

export interface ImageRow {
  readonly tag: string;
  readonly kind: ImageKind;
  readonly size: number;
  /** Matches the current inputs. */
  readonly isCurrent: boolean;
}

/** Dartboard's images on the engine, current ones first. */
export async function listImages(host: DockerHost, inputs: ImageInputs): Promise<readonly ImageRow[]> {
  const rows = (await host.images()).flatMap(({ tags, size }) =>
    tags.flatMap((tag): ImageRow[] => {
      const kind = IMAGE_KINDS.find(each => tag.startsWith(`dartboard-${each}:`));
      return kind === undefined ? [] : [{ tag, kind, size, isCurrent: tag === imageTag(kind, inputs) }];
    }),
  );
  return rows.sort(
    (one, other) =>
      Number(other.isCurrent) - Number(one.isCurrent) ||
      IMAGE_KINDS.indexOf(one.kind) - IMAGE_KINDS.indexOf(other.kind) ||
      one.tag.localeCompare(other.tag),
  );
}

/** zstd if the program is installed and there is no gzipped file yet. */
async function cachedFile(folder: string, tag: string): Promise<string> {
  const path = join(folder, tag.replace(':', '-'));
  return !existsSync(`${path}.tar.gz`) && (await hasZstd()) ? `${path}.tar.zst` : `${path}.tar.gz`;
}
