// A port over another, both of whose ends are made so: what is sent before others have their turn leaves as one message. Most of what a
// short message costs is the system's, on both sides; a training sends a thousand in a second.

import type { Port } from './port.ts';

type Refused = (error: unknown) => void;

/** `soon` calls back once others have had their turn. */
export function gathered(port: Port, soon: (act: () => void) => void = setImmediate): Port {
  let waiting: { readonly message: unknown; readonly refused: Refused }[] = [];
  const leave = () => {
    const together = waiting;
    waiting = [];
    port.send(
      together.map(({ message }) => message),
      () => {
        // One of them is no plain data: the others are not to suffer for it.
        for (const { message, refused } of together) port.send([message], refused);
      },
    );
  };
  return {
    send: (message, refused = thrown) => {
      if (waiting.push({ message, refused }) === 1) soon(leave);
    },
    receive: handler =>
      port.receive(messages => {
        for (const message of messages as readonly unknown[]) handler(message);
      }),
    closed: handler => port.closed(handler),
  };
}

const thrown: Refused = error => {
  throw error;
};
