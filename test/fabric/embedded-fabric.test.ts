import { expect, test } from 'vitest';
import { EmbeddedLog } from '../../runtime/fabric/embedded/log.ts';
import { EmbeddedQueue } from '../../runtime/fabric/embedded/queue.ts';
import { EmbeddedRegister } from '../../runtime/fabric/embedded/register.ts';
import { EmbeddedTopic } from '../../runtime/fabric/embedded/topic.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { channelLaws } from './contract.ts';

channelLaws('embedded', async () => {
  const channels = {
    queue: new EmbeddedQueue<number>('numbers'),
    register: new EmbeddedRegister<number>('number'),
    log: new EmbeddedLog<string>('words'),
    topic: new EmbeddedTopic<number>(),
  };
  return {
    ...channels,
    close: async () => {
      for (const channel of Object.values(channels)) channel.close();
    },
  };
});

test('closing a fabric ends all of its channels', async () => {
  const fabric = embeddedFabric();
  const waiting = [fabric.orders, fabric.trajectories, fabric.batches].map(queue => queue.taker().take());
  const watching = [fabric.weights.watch(), fabric.commands.read(0), fabric.events.listen()].map(each =>
    each[Symbol.asyncIterator]().next(),
  );
  await fabric.close();
  for (const each of await Promise.allSettled(waiting)) expect(each.status).toBe('rejected');
  for (const { done } of await Promise.all(watching)) expect(done).toBe(true);
});
