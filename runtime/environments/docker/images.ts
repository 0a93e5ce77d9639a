// The images that desktops start from, on one engine: found there, loaded from where they were kept, or built. What they are built
// from is told by image-inputs.ts.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { DockerHost } from './host.ts';
import { hasZstd, loadImage, saveImage } from './image-files.ts';
import { contextOf, fileOf, type ImageInputs, type ImageKind, imageTag, nameOf } from './image-inputs.ts';
import { followProgress } from './image-log.ts';

export { IMAGE_KINDS, type ImageKind, imageTag, inputsFolder, readInputs } from './image-inputs.ts';

/** Which of the two an image is. */
const KIND_LABEL = 'dartboard.image';

export interface EnsureImageOptions {
  /** Where images are kept as files; nowhere unless said. */
  readonly cache?: string;
  /** Builds it although it is there, or in the cache. */
  readonly again?: boolean;
  /** Hears what goes on, a line at a time. */
  readonly tell: (line: string) => void;
}

export const hasImage = async (host: DockerHost, tag: string): Promise<boolean> =>
  (await host.images(tag)).length > 0;

/** Gives the name of the image, which is there then. */
export async function ensureImage(
  host: DockerHost,
  kind: ImageKind,
  inputs: ImageInputs,
  wishes: EnsureImageOptions,
): Promise<string> {
  const { cache, again = false, tell } = wishes;
  const tag = imageTag(kind, inputs);
  if (!again && (await hasImage(host, tag))) return tag;
  const kept = cache === undefined ? undefined : await cachedAs(cache, tag);
  if (!again && kept !== undefined && existsSync(kept)) {
    tell(`loading ${tag} from ${kept}`);
    await loadImage(host, kept);
    if (await hasImage(host, tag)) return tag;
    tell(`${kept} does not hold it`);
  }
  if (kind === 'large') await ensureImage(host, 'small', inputs, { ...wishes, again: false });
  await build(host, kind, inputs, tell);
  if (kept !== undefined) {
    tell(`keeping it as ${kept}`);
    await saveImage(host, tag, kept);
  }
  return tag;
}

async function build(
  host: DockerHost,
  kind: ImageKind,
  inputs: ImageInputs,
  tell: (line: string) => void,
): Promise<string> {
  const tag = imageTag(kind, inputs);
  tell(`building ${tag}`);
  const context = Readable.from([contextOf(kind, inputs)]);
  const log = await host.build(context, { tag, file: fileOf(kind), labels: { [KIND_LABEL]: kind } });
  await followProgress(log, `build ${tag}`, `engine ${host.name}`, tell);
  return tag;
}

export interface ImageRow {
  readonly tag: string;
  readonly kind: ImageKind;
  readonly size: number;
  /** Whether it is what would be built now. */
  readonly isCurrent: boolean;
}

/** Dartboard's images on the engine, the current ones first. */
export async function listImages(host: DockerHost, inputs: ImageInputs): Promise<readonly ImageRow[]> {
  const kinds: readonly ImageKind[] = ['small', 'large'];
  const rows = (await host.images()).flatMap(({ tags, size }) =>
    tags.flatMap((tag): ImageRow[] => {
      const kind = kinds.find(each => tag.startsWith(`${nameOf(each)}:`));
      return kind === undefined ? [] : [{ tag, kind, size, isCurrent: tag === imageTag(kind, inputs) }];
    }),
  );
  return rows.sort(
    (one, other) =>
      Number(other.isCurrent) - Number(one.isCurrent) ||
      kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
      one.tag.localeCompare(other.tag),
  );
}

/** The file that an image is kept as: packed as well as can be here, unless it is there packed otherwise. */
async function cachedAs(folder: string, tag: string): Promise<string> {
  const path = join(folder, tag.replace(':', '-'));
  const isZstd = await hasZstd();
  return isZstd && !existsSync(`${path}.tar.gz`) ? `${path}.tar.zst` : `${path}.tar.gz`;
}
