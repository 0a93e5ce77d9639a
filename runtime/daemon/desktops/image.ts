// The engine that Docker's own programs would use here, and what is there of the image that desktops in containers start from.

import type { Clock } from '../../contracts/world.ts';
import { ownAddress } from '../../environments/docker/address.ts';
import { openHost } from '../../environments/docker/host.ts';
import { hasImage, inputsFolder, readInputs, tagOf } from '../../environments/docker/images.ts';
import type { Surroundings } from '../../environments/docker/surroundings.ts';

export interface DesktopImage {
  readonly tag: string;
  readonly isThere: boolean;
}

export interface EngineHere extends DesktopImage {
  readonly where: string;
  readonly version: string;
}

/** Rejects where no engine answers, or where there is none at the address that is given. */
export async function engineHere(around: Surroundings, clock: Clock): Promise<EngineHere> {
  const tag = tagOf('small', await readInputs(inputsFolder()));
  const host = await openHost(ownAddress(around), clock);
  try {
    const [{ version }, isThere] = await Promise.all([host.facts(), hasImage(host, tag)]);
    return { where: host.name, version, tag, isThere };
  } finally {
    host.close();
  }
}
