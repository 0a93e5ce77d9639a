// The fabric of a run on one machine: channels within the process of the daemon.

import { EmbeddedLog } from './embedded/log.ts';
import { EmbeddedQueue } from './embedded/queue.ts';
import { EmbeddedRegister } from './embedded/register.ts';
import { EmbeddedTopic } from './embedded/topic.ts';
import { createChannels, type Fabric } from './fabric.ts';

export function embeddedFabric(): Fabric {
  const created: { close(): void }[] = [];
  const keep = <C extends { close(): void }>(channel: C): C => {
    created.push(channel);
    return channel;
  };
  const channels = createChannels({
    queue: <T>(name: string) => keep(new EmbeddedQueue<T>(name)),
    register: <T>(name: string) => keep(new EmbeddedRegister<T>(name)),
    log: <T>(name: string) => keep(new EmbeddedLog<T>(name)),
    topic: <T>() => keep(new EmbeddedTopic<T>()),
  });
  return {
    ...channels,
    close: async () => {
      for (const channel of created) channel.close();
    },
  };
}
