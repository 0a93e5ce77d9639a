// Desktops on a real engine: of the small image (the current one, else dartboard-small:dev), or of the current large image.

import { randomBytes } from 'node:crypto';
import { desktopId } from '../../../runtime/core/ids.ts';
import { thisProcess } from '../../../runtime/core/process-identity.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { containerSpec, DEFAULT_LIMITS } from '../../../runtime/environments/docker/container-spec.ts';
import { DockerDesktop } from '../../../runtime/environments/docker/desktop.ts';
import { Fleet } from '../../../runtime/environments/docker/fleet.ts';
import { type DockerHost, openHost } from '../../../runtime/environments/docker/host.ts';
import { imageDefaults } from '../../../runtime/environments/docker/image-defaults.ts';
import { hasImage, imageTag, inputsFolder, readInputs } from '../../../runtime/environments/docker/images.ts';
import { type ScreenSize, scaleOf } from '../../../runtime/environments/docker/screen-size.ts';
import { hasEngine, missingEngine } from './engine.ts';
import { localAddress } from './test-engine.ts';

async function imageThere(kind: 'small' | 'large'): Promise<string | undefined> {
  if (!hasEngine) return undefined;
  const host = await openHost(localAddress, systemClock, 'here');
  try {
    const own = imageTag(kind, await readInputs(inputsFolder()));
    for (const tag of kind === 'small' ? [own, 'dartboard-small:dev'] : [own])
      if (await hasImage(host, tag)) return tag;
    return undefined;
  } finally {
    host.close();
  }
}

/** The tag; undefined if there is none. */
export const image = await imageThere('small');
const largeImage = await imageThere('large');

const NO_IMAGE =
  "The image of the small desktop is not there: 'dartboard docker build small' makes it, and this test runs.";

/** Why tests with desktops are skipped; undefined if they run. */
export const missingDesktops = missingEngine ?? (image === undefined ? NO_IMAGE : undefined);

export const missingLargeDesktops =
  missingEngine ??
  (largeImage === undefined
    ? "The image of the large desktop is not there: 'dartboard docker build large' makes it, and this test runs."
    : undefined);

export interface Desktops {
  readonly host: DockerHost;
  open(): Promise<DockerDesktop>;
  /** The ids of all containers. */
  there(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const realDesktops = (capacity = 3): Promise<Desktops> => desktopsOf(image, capacity);

/** Large desktops with a screen of this size, as the compact policy sees them. */
export const largeDesktops = (screen: ScreenSize): Promise<Desktops> => desktopsOf(largeImage, 1, screen);

async function desktopsOf(
  image: string | undefined,
  capacity: number,
  screen?: ScreenSize,
): Promise<Desktops> {
  if (image === undefined) throw new Error(missingDesktops ?? missingLargeDesktops);
  const { memoryMb, processes, pace } = imageDefaults(image);
  const limits = { ...DEFAULT_LIMITS, memory: memoryMb, processes };
  const host = await openHost(localAddress, systemClock, 'here');
  const id = `test${randomBytes(4).toString('hex')}`;
  const fleet = new Fleet({
    hosts: [{ host, capacity }],
    spares: 0,
    image,
    spec: (name, labels) =>
      containerSpec({ name, image, labels, limits, ...(screen !== undefined && { screen }) }),
    ...{ id, owner: 'test', me: thisProcess(), takeTimeoutMs: 120_000, clock: systemClock, health: () => {} },
  });
  let opened = 0;
  return {
    host,
    open: async () => {
      opened += 1;
      const options = {
        ...{ next: () => fleet.take(), clock: systemClock, pace },
        scale: scaleOf(screen ?? '640x480', 'compact'),
      };
      return new DockerDesktop(desktopId(`docker-${opened}`), await fleet.take(), options);
    },
    there: async () => (await host.list({ 'dartboard.fleet': id })).map(found => found.id),
    close: async () => {
      await fleet.close();
      host.close();
    },
  };
}
