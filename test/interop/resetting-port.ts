// A port on which every connection ends at once, as during the restart of a server.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { vi } from 'vitest';
import { PATIENCE } from '../patience.ts';

export interface ResettingPort {
  /** Resolves after the first connection. */
  wasTried(): Promise<void>;
  close(): Promise<void>;
}

export async function resetConnections(port: number): Promise<ResettingPort> {
  let connections = 0;
  const server = createServer(socket => {
    connections += 1;
    socket.resetAndDestroy();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    wasTried: () => vi.waitUntil(() => connections > 0, PATIENCE).then(() => undefined),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
