// Memory that is used up is given back at once. A thread that makes little garbage collects it seldom, and as much as the whole index
// would lie there for minutes.

import { MessageChannel } from 'node:worker_threads';

/** Whoever still looks at it finds it empty. */
export function release({ buffer }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer)) return;
  // What is on its way to somebody who is gone belongs to nobody.
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(undefined, [buffer]);
  port1.close();
  port2.close();
}
