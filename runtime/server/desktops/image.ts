// The default Docker engine of this machine, and whether it has the image of desktops.

import type { Clock } from '../../core/clock.ts';
import type { HostSettings } from '../../environments/docker/address.ts';
import { defaultAddress } from '../../environments/docker/address.ts';
import { openHost } from '../../environments/docker/host.ts';
import { hasImage, imageTag, inputsFolder, readInputs } from '../../environments/docker/images.ts';

export interface DesktopImage {
  readonly tag: string;
  readonly isThere: boolean;
}

export interface EngineHere extends DesktopImage {
  readonly where: string;
  readonly version: string;
}

/** Rejects if no engine answers. */
export async function engineHere(settings: HostSettings, clock: Clock): Promise<EngineHere> {
  const tag = imageTag('small', await readInputs(inputsFolder()));
  const host = await openHost(defaultAddress(settings), clock);
  try {
    const [{ version }, isThere] = await Promise.all([host.facts(), hasImage(host, tag)]);
    return { where: host.name, version, tag, isThere };
  } finally {
    host.close();
  }
}
