// Memory that is used up is given back at once. A process that makes little garbage collects it seldom, and one that makes much of
// it in megabytes has its whole heap gone through again and again.

import { MessageChannel } from 'node:worker_threads';

/** Whoever still looks at any of them finds it empty. */
export function release(...used: readonly ArrayBufferView[]): void {
  const buffers = [...new Set(used.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])))];
  if (buffers.length === 0) return;
  // What is on its way to somebody who is gone belongs to nobody.
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(undefined, buffers);
  port1.close();
  port2.close();
}
