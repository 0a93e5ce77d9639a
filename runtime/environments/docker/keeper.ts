// Who keeps a container: the labels that say it, and what is to become of a container that is found. Pure but for
// `thisKeeper`, which looks at this machine.
//
// Nothing is adopted. A container is as good as new only if nobody ever acted in it, and that was known to the process that
// is gone; a new one takes half a second.

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { MARK } from './container.ts';
import type { Found } from './host.ts';

/** A process, told apart from all others, also from later ones with its number. */
export interface Keeper {
  /** Where numbers of processes mean the same: a machine, or a container with processes of its own. */
  readonly place: string;
  /** Which start of that machine. */
  readonly boot: string;
  readonly pid: number;
  /** When the process began, where that can be known. */
  readonly began: string;
}

export interface Surrounded extends Keeper {
  /** Whether that process is there, here and now. */
  isAlive(pid: number, began: string): boolean;
}

/** Of several fleets in one process each has an id of its own. */
export const labelsOf = (owner: string, fleet: string, keeper: Keeper): Readonly<Record<string, string>> => ({
  [MARK]: '1',
  [`${MARK}.owner`]: owner,
  [`${MARK}.fleet`]: fleet,
  [`${MARK}.place`]: keeper.place,
  [`${MARK}.boot`]: keeper.boot,
  [`${MARK}.pid`]: String(keeper.pid),
  [`${MARK}.began`]: keeper.began,
});

/**
 * mine: this very fleet made it.
 * leftover: whoever made it is certainly gone, so nobody can miss it; whose it was does not matter.
 * others: its keeper lives, or nobody can tell from here.
 */
export type Fate = 'mine' | 'leftover' | 'others';

export function fateOf(labels: Readonly<Record<string, string>>, fleet: string, me: Surrounded): Fate {
  const of = (name: string) => labels[`${MARK}.${name}`];
  if (labels[MARK] !== '1') return 'others';
  if (of('fleet') === fleet) return 'mine';
  const pid = Number(of('pid'));
  const isKnown =
    of('place') === me.place && of('boot') !== undefined && Number.isSafeInteger(pid) && pid > 0;
  if (!isKnown) return 'others';
  return of('boot') === me.boot && me.isAlive(pid, of('began') ?? '') ? 'others' : 'leftover';
}

/** Of those found on a host: what nobody holds, and nobody will. */
export const toReap = (
  found: readonly Found[],
  isHeld: (one: Found) => boolean,
  fleet: string,
  me: Surrounded,
): readonly Found[] =>
  found.filter(one => {
    const fate = fateOf(one.labels, fleet, me);
    return fate === 'leftover' || (fate === 'mine' && !isHeld(one));
  });

/** Asked once, by whoever composes the program. */
export function thisKeeper(): Surrounded {
  const isLinux = process.platform === 'linux';
  return {
    place: isLinux ? `${hostname()} ${readlinkSync('/proc/self/ns/pid')}` : hostname(),
    // Elsewhere a start is known by its hour: the time of a start moves a little when the clock is set.
    boot: isLinux
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      : String(Math.round((Date.now() / 1000 - uptime()) / 3600)),
    pid: process.pid,
    began: beginning(process.pid),
    isAlive: (pid, began) => isThere(pid) && (began === '' || beginning(pid) === began),
  };
}

/** Field 22 of what Linux tells of a process; the name before it may hold anything, also spaces and brackets. */
function beginning(pid: number): string {
  try {
    const told = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return told.slice(told.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's, and there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
