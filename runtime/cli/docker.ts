// `dartboard docker`: builds, saves, loads and lists the images of Docker desktops.

import { stat } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import type { Clock } from '../core/clock.ts';
import { defaultAddress, hostSettings } from '../environments/docker/address.ts';
import { type DockerHost, openHost } from '../environments/docker/host.ts';
import { compressionOf, loadImage, saveImage } from '../environments/docker/image-files.ts';
import {
  ensureImage,
  hasImage,
  IMAGE_KINDS,
  type ImageKind,
  type ImageRow,
  imageTag,
  inputsFolder,
  listImages,
  readInputs,
} from '../environments/docker/images.ts';
import { bytes } from '../run/number-format.ts';
import type { CliContext } from './context.ts';

export interface DockerCommandContext {
  readonly openHost: () => Promise<DockerHost>;
  /** The folder that the images are built from. */
  readonly inputs: string;
  readonly clock: Clock;
  readonly say: (line: string) => void;
}

export function addDockerCommand(program: Command, { clock, output, environment }: CliContext): void {
  const context: DockerCommandContext = {
    openHost: async () => openHost(defaultAddress(hostSettings(environment)), clock),
    inputs: inputsFolder(),
    clock,
    say: line => void output.write(`${line}\n`),
  };
  const kind = (use: string): Argument =>
    new Argument('[image]', `${use}; large adds a browser and an office suite`)
      .choices(IMAGE_KINDS)
      .default('small');
  const docker = program
    .command('docker')
    .description('Build, save, load and list the images of Docker desktops.');
  docker
    .command('build')
    .description('build an image on the Docker engine of this machine or of DOCKER_HOST, unless it exists')
    .addArgument(kind('image to build'))
    .option('--cache <folder>', 'load the image from this folder, or save it there after the build')
    .option('--again', 'build it even if it exists')
    .action((image: ImageKind, wishes: BuildWishes) => buildImage(context, image, wishes));
  docker
    .command('save')
    .description('save an image as a file')
    .argument('<file>', '.tar, .tar.gz or .tar.zst')
    .addArgument(kind('image to save'))
    .action((file: string, image: ImageKind) => save(context, file, image));
  docker
    .command('load')
    .description('load an image from a file')
    .argument('<file>', '.tar, .tar.gz or .tar.zst')
    .action((file: string) => load(context, file));
  docker
    .command('ls')
    .description('list the images; an image of another version of its inputs is not current')
    .action(() => list(context));
}

interface BuildWishes {
  readonly cache?: string;
  readonly again?: boolean;
}

async function buildImage(
  context: DockerCommandContext,
  kind: ImageKind,
  { cache, again = false }: BuildWishes,
): Promise<void> {
  await onHost(context, async host => {
    const inputs = await readInputs(context.inputs);
    const since = context.clock.now();
    const tag = imageTag(kind, inputs);
    const wasThere = !again && (await hasImage(host, tag));
    await ensureImage(host, kind, inputs, {
      ...(cache !== undefined && { cache }),
      ...{ again, progress: context.say },
    });
    const seconds = (context.clock.now() - since) / 1000;
    context.say(wasThere ? `${tag} exists` : `${tag} is ready after ${seconds.toFixed(1)} s`);
  });
}

async function save(context: DockerCommandContext, file: string, kind: ImageKind): Promise<void> {
  compressionOf(file);
  await onHost(context, async host => {
    const tag = imageTag(kind, await readInputs(context.inputs));
    if (!(await hasImage(host, tag)))
      throw new RangeError(`Image ${tag} does not exist. Build it with 'dartboard docker build ${kind}'.`);
    await saveImage(host, tag, file);
    context.say(`${tag} is saved as ${file} (${bytes((await stat(file)).size)})`);
  });
}

async function load(context: DockerCommandContext, file: string): Promise<void> {
  compressionOf(file);
  await stat(file);
  await onHost(context, async host => {
    await loadImage(host, file);
    context.say(`${file} is loaded`);
    for (const line of imageTable(await listImages(host, await readInputs(context.inputs))))
      context.say(line);
  });
}

async function list(context: DockerCommandContext): Promise<void> {
  await onHost(context, async host => {
    const rows = await listImages(host, await readInputs(context.inputs));
    for (const line of imageTable(rows)) context.say(line);
  });
}

async function onHost(
  context: DockerCommandContext,
  use: (host: DockerHost) => Promise<void>,
): Promise<void> {
  const host = await context.openHost();
  try {
    await use(host);
  } finally {
    host.close();
  }
}

export function imageTable(rows: readonly ImageRow[]): readonly string[] {
  if (rows.length === 0) return ["No images yet. Build one with 'dartboard docker build'."];
  const widest = Math.max(...rows.map(({ tag }) => tag.length));
  return rows.map(
    ({ tag, size, isCurrent }) =>
      `${tag.padEnd(widest)}  ${bytes(size).padStart(7)}  ${isCurrent ? 'current' : 'not current'}`,
  );
}
