// Desktops on a real engine, from the current image, else from dartboard-small:dev.

import { randomBytes } from 'node:crypto';
import { desktopId } from '../../../runtime/core/ids.ts';
import { thisProcess } from '../../../runtime/core/process-identity.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { containerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import { DockerDesktop } from '../../../runtime/environments/docker/desktop.ts';
import { Fleet } from '../../../runtime/environments/docker/fleet.ts';
import { type DockerHost, openHost } from '../../../runtime/environments/docker/host.ts';
import { hasImage, imageTag, inputsFolder, readInputs } from '../../../runtime/environments/docker/images.ts';
import { hasEngine, missingEngine } from './engine.ts';
import { localAddress } from './test-engine.ts';

async function imageThere(): Promise<string | undefined> {
  if (!hasEngine) return undefined;
  const host = await openHost(localAddress, systemClock, 'here');
  try {
    const own = imageTag('small', await readInputs(inputsFolder()));
    for (const tag of [own, 'dartboard-small:dev']) if (await hasImage(host, tag)) return tag;
    return undefined;
  } finally {
    host.close();
  }
}

/** The tag; undefined if there is none. */
export const image = await imageThere();

const NO_IMAGE =
  "The image of the small desktop is not there: 'dartboard docker build small' makes it, and this test runs.";

/** Why tests with desktops are skipped; undefined if they run. */
export const missingDesktops = missingEngine ?? (image === undefined ? NO_IMAGE : undefined);

export interface Desktops {
  readonly host: DockerHost;
  open(): Promise<DockerDesktop>;
  /** The ids of all containers. */
  there(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function realDesktops(capacity = 3): Promise<Desktops> {
  if (image === undefined) throw new Error(missingDesktops);
  const host = await openHost(localAddress, systemClock, 'here');
  const id = `test${randomBytes(4).toString('hex')}`;
  const fleet = new Fleet({
    hosts: [{ host, capacity }],
    spares: 0,
    image,
    spec: (name, labels) => containerSpec({ name, image, labels }),
    ...{ id, owner: 'test', me: thisProcess(), takeTimeoutMs: 120_000, clock: systemClock, health: () => {} },
  });
  let opened = 0;
  return {
    host,
    open: async () => {
      opened += 1;
      const options = { next: () => fleet.take(), clock: systemClock };
      return new DockerDesktop(desktopId(`docker-${opened}`), await fleet.take(), options);
    },
    there: async () => (await host.list({ 'dartboard.fleet': id })).map(found => found.id),
    close: async () => {
      await fleet.close();
      host.close();
    },
  };
}
