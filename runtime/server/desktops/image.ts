// The engine that Docker's own programs would use here, and what is there of the image that desktops in containers start from.

import type { Clock } from '../../core/clock.ts';
import { defaultAddress } from '../../environments/docker/address.ts';
import { openHost } from '../../environments/docker/host.ts';
import type { HostSettings } from '../../environments/docker/host-settings.ts';
import { hasImage, imageTag, inputsFolder, readInputs } from '../../environments/docker/images.ts';

export interface DesktopImage {
  readonly tag: string;
  readonly isThere: boolean;
}

export interface EngineHere extends DesktopImage {
  readonly where: string;
  readonly version: string;
}

/** Rejects where no engine answers, or where there is none at the address that is given. */
export async function engineHere(around: HostSettings, clock: Clock): Promise<EngineHere> {
  const tag = imageTag('small', await readInputs(inputsFolder()));
  const host = await openHost(defaultAddress(around), clock);
  try {
    const [{ version }, isThere] = await Promise.all([host.facts(), hasImage(host, tag)]);
    return { where: host.name, version, tag, isThere };
  } finally {
    host.close();
  }
}
