// The kinds of desktops that are available on this machine, why another one is not, and the Docker engine with its image.

import type { Clock } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { failureOf } from '../../core/failure.ts';
import { reasonOf } from '../../core/finding.ts';
import { defaultAddress, type HostSettings } from '../../environments/docker/address.ts';
import { openHost } from '../../environments/docker/host.ts';
import { hasImage, imageTag, inputsFolder, readInputs } from '../../environments/docker/images.ts';
import type { KindOffer } from '../../protocol/daemon/desktops.ts';
import type { GuestPresence } from './guests-here.ts';

/** A user waits for the choice of desktops. */
const ENGINE_TIMEOUT_MS = 2000;

interface KindsOptions {
  /** Queries the engine for the image; rejects when no engine answers. */
  readonly engine: () => Promise<DesktopImage>;
  /** Throws when this machine has no browser. */
  readonly browser: () => unknown;
  /** The configured guests; rejects with what the configuration lacks. */
  readonly guests: () => Promise<readonly GuestPresence[]>;
  /** Whether the workspace has trajectories that belong to no run. Rejects for settings that cannot be read. */
  readonly hasTrajectories: () => Promise<boolean>;
  readonly clock: Clock;
}

export async function kindsHere(options: KindsOptions): Promise<readonly KindOffer[]> {
  const [docker, guest, hasTrajectories] = await Promise.all([
    dockerHere(options),
    guestsHere(options),
    // The kind is left out then; the offer of guests names the fault of the settings.
    options.hasTrajectories().catch(() => false),
  ]);
  return [
    ...[{ kind: 'pocket', is: 'here' } as const, docker, webHere(options), guest],
    ...(hasTrajectories ? [{ kind: 'offline', is: 'here' } as const] : []),
  ];
}

async function dockerHere({ engine, clock }: KindsOptions): Promise<KindOffer> {
  const deadline = { what: 'The query of the Docker engine', ms: ENGINE_TIMEOUT_MS, clock };
  try {
    return dockerOf(await withDeadline(engine(), deadline));
  } catch (error) {
    return { kind: 'docker', is: 'away', why: reasonOf(error) };
  }
}

function webHere({ browser }: KindsOptions): KindOffer {
  try {
    browser();
    return { kind: 'web', is: 'here' };
  } catch (error) {
    return {
      kind: 'web',
      is: 'away',
      why: `Web desktops: ${failureOf(error, 'provider', 'browser').message}`,
    };
  }
}

/** Guests that do not answer are left out of a run, so one that answers is enough. */
async function guestsHere({ guests, clock }: KindsOptions): Promise<KindOffer> {
  const deadline = { what: 'The query of the guests', ms: ENGINE_TIMEOUT_MS, clock };
  try {
    const found = await withDeadline(guests(), deadline);
    if (found.some(({ answers }) => answers)) return { kind: 'guest', is: 'here' };
    const addresses = found.map(({ address }) => address).join(', ');
    const why = `Guests: no answer from ${addresses}. Start them and OSWorld's server in them, or correct 'environments.guest.hosts'.`;
    return { kind: 'guest', is: 'away', why };
  } catch (error) {
    return { kind: 'guest', is: 'away', why: `Guests: ${reasonOf(error)}` };
  }
}

const dockerOf = ({ tag, isThere }: DesktopImage): KindOffer =>
  isThere
    ? { kind: 'docker', is: 'here' }
    : {
        kind: 'docker',
        is: 'unbuilt',
        why: `The engine has no image '${tag}'. Build it with 'dartboard docker build'.`,
      };

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
