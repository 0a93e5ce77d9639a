// `dartboard docker`: builds, saves, loads and lists the images of Docker desktops.

import { stat } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { defaultAddress, hostSettings } from '../environments/docker/address.ts';
import { type DockerHost, withHost } from '../environments/docker/host.ts';
import { compressionOf, loadImage, saveImage } from '../environments/docker/image-files.ts';
import {
  ensureImage,
  hasImage,
  IMAGE_KINDS,
  type ImageInputs,
  type ImageKind,
  type ImageRow,
  imageTag,
  inputsFolder,
  listImages,
  readInputs,
} from '../environments/docker/images.ts';
import { bytes } from '../run/number-format.ts';
import type { CliContext } from './context.ts';

export function addDockerCommand(program: Command, { clock, output, environment }: CliContext): void {
  const say = (line: string) => void output.write(`${line}\n`);
  const onEngine = async (use: (host: DockerHost, inputs: ImageInputs) => Promise<void>): Promise<void> => {
    const inputs = await readInputs(inputsFolder());
    await withHost(defaultAddress(hostSettings(environment)), clock, host => use(host, inputs));
  };
  const kind = (use: string): Argument =>
    new Argument(
      '[image]',
      `${use}; large adds an office suite, a browser, and programs for mail, pictures and media`,
    )
      .choices(IMAGE_KINDS)
      .default('small');
  const list = async (host: DockerHost, inputs: ImageInputs): Promise<void> => {
    for (const line of imageTable(await listImages(host, inputs))) say(line);
  };
  const docker = program
    .command('docker')
    .description('Build, save, load and list the images of Docker desktops.');
  docker
    .command('build')
    .description('build an image on the Docker engine of this machine or of DOCKER_HOST, unless it exists')
    .addArgument(kind('image to build'))
    .option('--cache <folder>', 'load the image from this folder, or save it there after the build')
    .option('--again', 'build it even if it exists')
    .action((image: ImageKind, { cache, again = false }: BuildFlags) =>
      onEngine(async (host, inputs) => {
        const since = clock.now();
        const tag = imageTag(image, inputs);
        const wasThere = !again && (await hasImage(host, tag));
        await ensureImage(host, image, inputs, {
          ...(cache !== undefined && { cache }),
          again,
          progress: say,
        });
        const seconds = (clock.now() - since) / 1000;
        say(wasThere ? `${tag} exists` : `${tag} is ready after ${seconds.toFixed(1)} s`);
      }),
    );
  docker
    .command('save')
    .description('save an image as a file')
    .argument('<file>', '.tar, .tar.gz or .tar.zst')
    .addArgument(kind('image to save'))
    .action(async (file: string, image: ImageKind) => {
      compressionOf(file);
      await onEngine(async (host, inputs) => {
        const tag = imageTag(image, inputs);
        if (!(await hasImage(host, tag)))
          throw new RangeError(
            `Image ${tag} does not exist. Build it with 'dartboard docker build ${image}'.`,
          );
        await saveImage(host, tag, file);
        say(`${tag} is saved as ${file} (${bytes((await stat(file)).size)})`);
      });
    });
  docker
    .command('load')
    .description('load an image from a file')
    .argument('<file>', '.tar, .tar.gz or .tar.zst')
    .action(async (file: string) => {
      compressionOf(file);
      await stat(file);
      await onEngine(async (host, inputs) => {
        await loadImage(host, file);
        say(`${file} is loaded`);
        await list(host, inputs);
      });
    });
  docker
    .command('ls')
    .description('list the images; an image of another version of its inputs is not current')
    .action(() => onEngine(list));
}

interface BuildFlags {
  readonly cache?: string;
  readonly again?: boolean;
}

export function imageTable(rows: readonly ImageRow[]): readonly string[] {
  if (rows.length === 0) return ["No images yet. Build one with 'dartboard docker build'."];
  const widest = Math.max(...rows.map(({ tag }) => tag.length));
  return rows.map(
    ({ tag, size, isCurrent }) =>
      `${tag.padEnd(widest)}  ${bytes(size).padStart(7)}  ${isCurrent ? 'current' : 'not current'}`,
  );
}
