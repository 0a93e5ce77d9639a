// Decides which host creates the next container and which host gives a spare. Pure.

/** The load of one host, in containers. */
export interface HostLoad {
  /** Includes spares, but not containers that are being removed. */
  readonly capacity: number;
  readonly wantedSpares: number;
  readonly used: number;
  readonly spare: number;
  readonly creating: number;
  readonly leaving: number;
  /** The engine answers: without it nobody can use a spare. */
  readonly isHere: boolean;
  /** The host creates containers. */
  readonly isOpen: boolean;
}

/** More at once start no sooner, and slow down the desktops in use. */
export const MAX_CREATING_PER_HOST = 2;

/**
 * The host that creates one more container now, if any. Call it again until it returns undefined.
 * 1. A host must be open, have room, create less than the maximum, and keep up with its removals.
 * 2. While more takers wait than containers are being created, the least loaded host creates one.
 * 3. Otherwise the least loaded host that lacks spares creates one.
 */
export function hostForNewContainer(hosts: readonly HostLoad[], waiting: number): number | undefined {
  const creating = hosts.reduce((sum, host) => sum + host.creating, 0);
  const mayCreate = (host: HostLoad) =>
    host.isOpen &&
    host.used + host.spare + host.creating < host.capacity &&
    host.creating < MAX_CREATING_PER_HOST &&
    host.leaving <= host.capacity;
  const lacksSpares = (host: HostLoad) => host.spare + host.creating < host.wantedSpares;
  return leastLoaded(hosts, host => mayCreate(host) && (waiting > creating || lacksSpares(host)));
}

export const hostWithSpare = (hosts: readonly HostLoad[]): number | undefined =>
  leastLoaded(hosts, host => host.isHere && host.spare > 0);

/** Why an open host has no spare. */
export function reasonForWait({ capacity, creating, leaving }: HostLoad): string {
  if (leaving > capacity) return 'it is still removing its last containers';
  return creating > 0 ? 'it is still starting containers' : 'all its containers are in use';
}

/** Spares do no work, so they do not count as load. The first of equals wins. */
function leastLoaded(hosts: readonly HostLoad[], fits: (host: HostLoad) => boolean): number | undefined {
  let best: { readonly index: number; readonly load: number } | undefined;
  for (const [index, host] of hosts.entries()) {
    const load = (host.used + host.creating) / host.capacity;
    if (fits(host) && (best === undefined || load < best.load)) best = { index, load };
  }
  return best?.index;
}
