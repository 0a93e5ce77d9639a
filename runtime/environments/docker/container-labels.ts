// Who keeps a container: the labels that say it, and what is to become of a container that is found. Pure.
//
// Nothing is adopted. A container is as good as new only if nobody ever acted in it, and that was known to the process that
// is gone; a new one takes half a second.

import { type LocalProcess, type ProcessIdentity, processStatus } from '../../core/process-identity.ts';
import { LABEL } from './container-spec.ts';
import type { FoundContainer } from './host.ts';

/** Of several fleets in one process each has an id of its own. */
export const ownerLabels = (
  owner: string,
  fleet: string,
  keeper: ProcessIdentity,
): Readonly<Record<string, string>> => ({
  [LABEL]: '1',
  [`${LABEL}.owner`]: owner,
  [`${LABEL}.fleet`]: fleet,
  [`${LABEL}.place`]: keeper.place,
  [`${LABEL}.boot`]: keeper.boot,
  [`${LABEL}.pid`]: String(keeper.pid),
  [`${LABEL}.began`]: keeper.began,
});

/**
 * mine: this very fleet made it.
 * leftover: whoever made it is certainly gone, so nobody can miss it; whose it was does not matter.
 * others: its keeper lives, or nobody can tell from here.
 */
export type Ownership = 'mine' | 'leftover' | 'others';

export function ownershipOf(
  labels: Readonly<Record<string, string>>,
  fleet: string,
  me: LocalProcess,
): Ownership {
  const of = (name: string) => labels[`${LABEL}.${name}`];
  if (labels[LABEL] !== '1') return 'others';
  if (of('fleet') === fleet) return 'mine';
  const [pid, place, boot] = [Number(of('pid')), of('place'), of('boot')];
  const isKnown = place !== undefined && boot !== undefined && Number.isSafeInteger(pid) && pid > 0;
  if (!isKnown) return 'others';
  return processStatus({ pid, place, boot, began: of('began') ?? '' }, me) === 'ended'
    ? 'leftover'
    : 'others';
}

/** Of those found on a host: what nobody holds, and nobody will. */
export const abandoned = (
  found: readonly FoundContainer[],
  isHeld: (one: FoundContainer) => boolean,
  fleet: string,
  me: LocalProcess,
): readonly FoundContainer[] =>
  found.filter(one => {
    const fate = ownershipOf(one.labels, fleet, me);
    return fate === 'leftover' || (fate === 'mine' && !isHeld(one));
  });
