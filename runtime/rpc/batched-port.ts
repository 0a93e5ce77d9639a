// A port over another one: messages that are sent in the same turn of the event loop leave as one. Most of the cost of a short message
// is the operating system's, and training sends about a thousand a second. Both ends must be batched.

import type { Port } from './port.ts';

type Refused = (error: unknown) => void;

/** `defer` calls back in the next turn of the event loop. */
export function batched(port: Port, defer: (act: () => void) => void = setImmediate): Port {
  let waiting: { readonly message: unknown; readonly refused: Refused }[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    port.send(
      batch.map(({ message }) => message),
      () => {
        // One message is not plain data. The others are still delivered.
        for (const { message, refused } of batch) port.send([message], refused);
      },
    );
  };
  return {
    send: (message, refused = throwError) => {
      if (waiting.push({ message, refused }) === 1) defer(flush);
    },
    receive: handler =>
      port.receive(messages => {
        for (const message of messages as readonly unknown[]) handler(message);
      }),
    closed: handler => port.closed(handler),
  };
}

const throwError: Refused = error => {
  throw error;
};
