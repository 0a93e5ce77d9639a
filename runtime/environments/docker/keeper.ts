// Who keeps a container: the labels that say it, and what is to become of a container that is found. Pure.
//
// Nothing is adopted. A container is as good as new only if nobody ever acted in it, and that was known to the process that
// is gone; a new one takes half a second.

import { type Machine, type Presence, whereabouts } from '../../protocol/presence.ts';
import { MARK } from './container.ts';
import type { Found } from './host.ts';

/** Of several fleets in one process each has an id of its own. */
export const labelsOf = (
  owner: string,
  fleet: string,
  keeper: Presence,
): Readonly<Record<string, string>> => ({
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

export function fateOf(labels: Readonly<Record<string, string>>, fleet: string, me: Machine): Fate {
  const of = (name: string) => labels[`${MARK}.${name}`];
  if (labels[MARK] !== '1') return 'others';
  if (of('fleet') === fleet) return 'mine';
  const [pid, place, boot] = [Number(of('pid')), of('place'), of('boot')];
  const isKnown = place !== undefined && boot !== undefined && Number.isSafeInteger(pid) && pid > 0;
  if (!isKnown) return 'others';
  return whereabouts({ pid, place, boot, began: of('began') ?? '' }, me) === 'gone' ? 'leftover' : 'others';
}

/** Of those found on a host: what nobody holds, and nobody will. */
export const toReap = (
  found: readonly Found[],
  isHeld: (one: Found) => boolean,
  fleet: string,
  me: Machine,
): readonly Found[] =>
  found.filter(one => {
    const fate = fateOf(one.labels, fleet, me);
    return fate === 'leftover' || (fate === 'mine' && !isHeld(one));
  });
