// Who keeps a container: the labels that say it, and what is to become of a container that is found. Pure but for
// `thisKeeper`, which looks at this machine.
//
// Nothing is adopted. A container is as good as new only if nobody ever acted in it, and that was known to the process that
// is gone; a new one takes half a second.

import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isThere, type Machine, type Presence, thisMachine } from '../../protocol/presence.ts';
import { MARK } from './container.ts';
import type { Found } from './host.ts';

/** A process, told apart from all others, also from later ones with its number. */
export interface Keeper extends Presence {
  /** Where numbers of processes mean the same: a machine, or a container with processes of its own. */
  readonly place: string;
}

export type Surrounded = Keeper & Machine;

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
  const [pid, boot] = [Number(of('pid')), of('boot')];
  const isKnown = of('place') === me.place && boot !== undefined && Number.isSafeInteger(pid) && pid > 0;
  if (!isKnown) return 'others';
  return isThere({ pid, boot, began: of('began') ?? '' }, me) ? 'others' : 'leftover';
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
  const place =
    process.platform === 'linux' ? `${hostname()} ${readlinkSync('/proc/self/ns/pid')}` : hostname();
  return { ...thisMachine, place };
}
