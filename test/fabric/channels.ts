// One channel of each kind, for the laws: embedded, and known by the same names on the other side of a port.

import { EmbeddedLog } from '../../runtime/fabric/embedded/log.ts';
import { EmbeddedQueue } from '../../runtime/fabric/embedded/queue.ts';
import { EmbeddedRegister } from '../../runtime/fabric/embedded/register.ts';
import { EmbeddedTopic } from '../../runtime/fabric/embedded/topic.ts';
import type { Kinds } from '../../runtime/fabric/kinds.ts';

export const embeddedChannels = () => ({
  queue: new EmbeddedQueue<number>('numbers'),
  register: new EmbeddedRegister<number>('number'),
  log: new EmbeddedLog<string>('words'),
  topic: new EmbeddedTopic<number>(),
});

export type TestChannels = Pick<
  ReturnType<typeof embeddedChannels>,
  keyof ReturnType<typeof embeddedChannels>
>;

export const TEST_KINDS: Kinds<TestChannels> = {
  queue: 'queue',
  register: 'register',
  log: 'log',
  topic: 'topic',
};

export const closeAll = (channels: TestChannels): void => {
  for (const channel of Object.values(channels)) channel.close();
};
