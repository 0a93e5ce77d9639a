// Who connects and then says nothing is sent away.

import type { Clock } from '../../core/clock.ts';

const HELLO_WITHIN = 10_000;

/** `late` is told why, unless the function that is returned is called in time: a hello came, or the connection is over. */
export function awaitHello(clock: Clock, late: (message: string) => void): () => void {
  const greeted = new AbortController();
  clock.sleep(HELLO_WITHIN, greeted.signal).then(
    () => late(`No hello came within ${HELLO_WITHIN / 1000} s.`),
    () => undefined,
  );
  return () => greeted.abort();
}
