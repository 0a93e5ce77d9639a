// On which host the next container is made, and from which one a spare is taken. Pure: it sees how the hosts stand, and
// neither makes nor takes anything.

/** How one host stands. All numbers count containers. */
export interface HostLoad {
  /** Spares are within it; what is being removed is not, for it uses nothing any more. */
  readonly capacity: number;
  /** As many as are to stand ready. */
  readonly wantedSpares: number;
  readonly used: number;
  readonly spare: number;
  readonly creating: number;
  readonly leaving: number;
  /** Whether its engine answers: else nobody could use what stands ready there. */
  readonly isHere: boolean;
  /** Whether it makes containers just now. */
  readonly isOpen: boolean;
}

/** More at once on one host start no sooner, and slow down the desktops that are in use. */
export const MAX_CREATING_PER_HOST = 2;

/**
 * Where one more is made now, if anywhere; asked again until it says nowhere.
 * 1. A host must be open, have room, not create too many at once, and get rid of what it removes.
 * 2. While more wait than are being created, the least loaded host makes one.
 * 3. Else a host that lacks spares makes one; the least loaded first.
 */
export function hostForNewContainer(hosts: readonly HostLoad[], waiting: number): number | undefined {
  const creating = hosts.reduce((sum, host) => sum + host.creating, 0);
  const mayCreate = (host: HostLoad) =>
    host.isOpen &&
    taken(host) < host.capacity &&
    host.creating < MAX_CREATING_PER_HOST &&
    host.leaving <= host.capacity;
  const lacksSpares = (host: HostLoad) => host.spare + host.creating < host.wantedSpares;
  return leastLoaded(hosts, host => mayCreate(host) && (waiting > creating || lacksSpares(host)));
}

/** Which host gives one of its spares, if any has one. */
export const hostWithSpare = (hosts: readonly HostLoad[]): number | undefined =>
  leastLoaded(hosts, host => host.isHere && host.spare > 0);

/** Why nothing stands ready on a host that is open. */
export function reasonForWait({ capacity, creating, leaving }: HostLoad): string {
  if (leaving > capacity) return 'its last containers are still being removed';
  return creating > 0 ? 'its containers are still being made' : 'all its containers are in use';
}

const taken = ({ used, spare, creating }: HostLoad): number => used + spare + creating;

/** Spares do no work, so they are no load; of equals the first. */
function leastLoaded(hosts: readonly HostLoad[], fits: (host: HostLoad) => boolean): number | undefined {
  let best: { readonly index: number; readonly load: number } | undefined;
  for (const [index, host] of hosts.entries()) {
    const load = (host.used + host.creating) / host.capacity;
    if (fits(host) && (best === undefined || load < best.load)) best = { index, load };
  }
  return best?.index;
}
