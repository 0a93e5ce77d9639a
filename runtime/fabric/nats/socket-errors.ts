// The NATS client removes all listeners of a lost socket and then destroys it. The error of a write that is still under way would then be an
// uncaught exception, and end this process: a joined host died of it when its broker did not answer.

import type { Socket } from 'node:net';
import { NodeTransport } from '@nats-io/transport-node/lib/node_transport.js';

interface SocketOwner {
  readonly socket?: Socket;
  /** Called once for each connected socket. */
  setupHandlers(): void;
}

let isDone = false;

/** For all sockets that the client opens from now on. The client itself notices a lost socket by its end. */
export function keepSocketErrorsHandled(): void {
  if (isDone) return;
  isDone = true;
  const transport = NodeTransport.prototype as unknown as SocketOwner;
  const { setupHandlers } = transport;
  transport.setupHandlers = function (this: SocketOwner) {
    setupHandlers.call(this);
    if (this.socket !== undefined) keepAnErrorListener(this.socket);
  };
}

function keepAnErrorListener(socket: Socket): void {
  const { removeAllListeners } = socket;
  socket.removeAllListeners = (...names) => {
    removeAllListeners.apply(socket, names);
    return socket.on('error', () => undefined);
  };
}
