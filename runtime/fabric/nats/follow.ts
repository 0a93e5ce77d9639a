// Follows what the daemon writes into a stream of the broker. A message of the subject is only a hint to read: the broker delivers it to
// those who are connected at that moment. A host needs no consumer of its own for that, which would let it write to subjects of others.

import { Bell } from '../embedded/bell.ts';
import type { Broker } from './broker.ts';

/** Calls `read` at once, and whenever there may be something new, one call at a time. Ends when the epoch is over. */
export async function follow(
  broker: Broker,
  {
    thing,
    subject,
    read,
  }: { readonly thing: string; readonly subject: string; readonly read: () => Promise<void> },
): Promise<void> {
  const bell = new Bell();
  broker.pulsed(() => bell.ring());
  const subscription = broker.connection.subscribe(subject, { callback: () => bell.ring() });
  let isBroken = false;
  try {
    while (!broker.over.aborted) {
      // Before it reads: what is written meanwhile is not missed.
      const changed = bell.next(broker.over);
      try {
        await broker.persist(read);
        if (isBroken) broker.report(thing);
        isBroken = false;
      } catch (error) {
        if (!isBroken && !broker.over.aborted) broker.report(thing, error);
        isBroken = true;
      }
      await changed;
    }
  } finally {
    subscription.unsubscribe();
  }
}
