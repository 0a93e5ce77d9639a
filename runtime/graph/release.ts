// Frees array buffers immediately instead of waiting for garbage collection. A process with little garbage collects rarely; one that
// allocates megabytes triggers full collections.

import { MessageChannel } from 'node:worker_threads';

/** Detaches the buffers: every view of them becomes empty. */
export function release(...views: readonly ArrayBufferView[]): void {
  const buffers = [
    ...new Set(views.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))),
  ];
  if (buffers.length === 0) return;
  // Transferring the buffers to a port that is closed at once frees them.
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(undefined, buffers);
  port1.close();
  port2.close();
}
