// Which kinds of desktops can be had on this machine, and what is missing for one that cannot.

import type { Clock } from '../../core/clock.ts';
import { reasonOf } from '../../core/finding.ts';
import type { KindOffer } from '../../protocol/daemon/desktops.ts';
import type { DesktopImage } from './image.ts';

/** Milliseconds: somebody waits to be asked what to train. */
const PATIENCE = 2000;

/** `look` asks the engine what is there of the image for desktops; it rejects where no engine answers. */
export async function kindsHere(
  look: () => Promise<DesktopImage>,
  clock: Clock,
): Promise<readonly KindOffer[]> {
  const patience = new AbortController();
  const late = clock.sleep(PATIENCE, patience.signal).then(() => {
    throw new Error(`The engine did not answer within ${PATIENCE / 1000} seconds.`);
  });
  try {
    return [{ kind: 'pocket', is: 'here' }, dockerOf(await Promise.race([look(), late]))];
  } catch (error) {
    return [
      { kind: 'pocket', is: 'here' },
      { kind: 'docker', is: 'away', why: reasonOf(error) },
    ];
  } finally {
    patience.abort();
    late.catch(() => undefined);
  }
}

const dockerOf = ({ tag, isThere }: DesktopImage): KindOffer =>
  isThere
    ? { kind: 'docker', is: 'here' }
    : { kind: 'docker', is: 'unbuilt', why: `The engine has no image '${tag}'.` };
