// One channel of each kind, for the laws: embedded, and the same on the other side of a port.

import { EmbeddedLog } from '../../runtime/fabric/embedded/log.ts';
import { EmbeddedQueue } from '../../runtime/fabric/embedded/queue.ts';
import { EmbeddedRegister } from '../../runtime/fabric/embedded/register.ts';
import { EmbeddedTopic } from '../../runtime/fabric/embedded/topic.ts';
import { FabricConnection } from '../../runtime/fabric/remote/client.ts';
import type { Port } from '../../runtime/rpc/port.ts';

export const embeddedChannels = () => ({
  queue: new EmbeddedQueue<number>('numbers'),
  register: new EmbeddedRegister<number>('number'),
  log: new EmbeddedLog<string>('words'),
  topic: new EmbeddedTopic<number>(),
});

export type TestChannels = ReturnType<typeof embeddedChannels>;

export function remoteChannels(port: Port) {
  const connection = new FabricConnection(port);
  const channels = {
    queue: connection.queue<number>('queue'),
    register: connection.register<number>('register'),
    log: connection.log<string>('log'),
    topic: connection.topic<number>('topic'),
  };
  return { channels, leave: () => connection.leave() };
}

export const closeAll = (channels: TestChannels): void => {
  for (const channel of Object.values(channels)) channel.close();
};
