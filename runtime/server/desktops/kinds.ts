// The kinds of desktops that are available on this machine, and why another one is not.

import type { Clock } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { reasonOf } from '../../core/finding.ts';
import type { KindOffer } from '../../protocol/daemon/desktops.ts';
import type { DesktopImage } from './image.ts';

/** A user waits for the choice of desktops. */
const ENGINE_TIMEOUT_MS = 2000;

/** `look` queries the engine for the image; it rejects when no engine answers. */
export async function kindsHere(
  look: () => Promise<DesktopImage>,
  clock: Clock,
): Promise<readonly KindOffer[]> {
  const pocket: KindOffer = { kind: 'pocket', is: 'here' };
  const deadline = { what: 'The query of the Docker engine', ms: ENGINE_TIMEOUT_MS, clock };
  try {
    return [pocket, dockerOf(await withDeadline(look(), deadline))];
  } catch (error) {
    return [pocket, { kind: 'docker', is: 'away', why: reasonOf(error) }];
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
