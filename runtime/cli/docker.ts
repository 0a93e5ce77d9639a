// What `dartboard docker` does: builds, keeps, loads and lists the images that desktops in containers start from.

import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Clock } from '../core/clock.ts';
import type { DockerHost } from '../environments/docker/host.ts';
import { loadImage, packingOf, saveImage } from '../environments/docker/image-files.ts';
import {
  ensureImage,
  hasImage,
  IMAGE_KINDS,
  type ImageKind,
  type ImageRow,
  imageTag,
  listImages,
  readInputs,
} from '../environments/docker/images.ts';
import { bytes } from '../run/number-format.ts';

export interface DockerCommandContext {
  /** Opened once what was asked for is understood. */
  readonly openHost: () => Promise<DockerHost>;
  /** What the images are built from. */
  readonly inputs: string;
  readonly clock: Clock;
  readonly say: (line: string) => void;
}

const WAYS =
  "'docker build [small|large]' builds an image, 'docker ls' lists those there are, 'docker save FILE [small|large]' and 'docker load FILE' keep one as a file";

export async function dockerCommand(args: readonly string[], around: DockerCommandContext): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { cache: { type: 'string' }, again: { type: 'boolean', default: false } },
  });
  const [what, ...rest] = positionals;
  const { cache, again } = values;
  if (what !== 'build' && (cache !== undefined || again))
    throw new RangeError(
      `--${again ? 'again' : 'cache'} is for 'docker build', and has no effect here; remove it.`,
    );
  if (what === 'build') return buildImage(around, kindOf(rest), { cache, again });
  if (what === 'save') return save(around, fileOf(what, rest), kindOf(rest.slice(1)));
  if (what === 'load') return load(around, fileOf(what, rest, true));
  if (what === 'ls') return list(around, rest);
  throw new RangeError(what === undefined ? `${WAYS}.` : `${WAYS}; '${what}' is none of these.`);
}

interface BuildWishes {
  readonly cache: string | undefined;
  readonly again: boolean;
}

async function buildImage(
  around: DockerCommandContext,
  kind: ImageKind,
  { cache, again }: BuildWishes,
): Promise<void> {
  await onHost(around, async host => {
    const inputs = await readInputs(around.inputs);
    const since = around.clock.now();
    const tag = imageTag(kind, inputs);
    const wasThere = !again && (await hasImage(host, tag));
    await ensureImage(host, kind, inputs, {
      ...(cache !== undefined && { cache }),
      ...{ again, tell: around.say },
    });
    const seconds = (around.clock.now() - since) / 1000;
    around.say(wasThere ? `${tag} is there already` : `${tag} is there, after ${seconds.toFixed(1)} s`);
  });
}

async function save(around: DockerCommandContext, file: string, kind: ImageKind): Promise<void> {
  packingOf(file);
  await onHost(around, async host => {
    const tag = imageTag(kind, await readInputs(around.inputs));
    if (!(await hasImage(host, tag)))
      throw new RangeError(`There is no ${tag} to keep: 'dartboard docker build ${kind}' builds it.`);
    await saveImage(host, tag, file);
    around.say(`${tag} is kept as ${file} (${bytes((await stat(file)).size)})`);
  });
}

async function load(around: DockerCommandContext, file: string): Promise<void> {
  packingOf(file);
  await stat(file);
  await onHost(around, async host => {
    await loadImage(host, file);
    around.say(`${file} is loaded`);
    for (const line of imageTable(await listImages(host, await readInputs(around.inputs)))) around.say(line);
  });
}

async function list(around: DockerCommandContext, rest: readonly string[]): Promise<void> {
  if (rest[0] !== undefined)
    throw new RangeError(`'docker ls' takes nothing more; there is '${rest[0]}' behind it.`);
  await onHost(around, async host => {
    const rows = await listImages(host, await readInputs(around.inputs));
    for (const line of imageTable(rows)) around.say(line);
  });
}

async function onHost(around: DockerCommandContext, use: (host: DockerHost) => Promise<void>): Promise<void> {
  const host = await around.openHost();
  try {
    await use(host);
  } finally {
    host.close();
  }
}

export function imageTable(rows: readonly ImageRow[]): readonly string[] {
  if (rows.length === 0) return ["There are no images here yet: 'dartboard docker build' builds one."];
  const widest = Math.max(...rows.map(({ tag }) => tag.length));
  return rows.map(
    ({ tag, size, isCurrent }) =>
      `${tag.padEnd(widest)}  ${bytes(size).padStart(7)}  ${isCurrent ? 'current' : 'of other inputs'}`,
  );
}

function kindOf([text = 'small', more]: readonly string[]): ImageKind {
  const kind = IMAGE_KINDS.find(each => each === text);
  if (kind === undefined)
    throw new RangeError(`There is no image '${text}': there are ${IMAGE_KINDS.join(' and ')}.`);
  if (more !== undefined) throw new RangeError(`One image at a time; there is '${more}' behind '${text}'.`);
  return kind;
}

function fileOf(what: string, [file, more]: readonly string[], isOnly = false): string {
  if (file === undefined)
    throw new RangeError(`'docker ${what}' takes a file, as in 'docker ${what} small.tar.gz'.`);
  if (isOnly && more !== undefined)
    throw new RangeError(`'docker ${what}' takes one file; there is '${more}' behind '${file}'.`);
  return file;
}
