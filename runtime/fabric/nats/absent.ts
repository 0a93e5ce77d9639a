// Channels, or parts of them, that a joined host does not have.

import type { Register, Topic, WorkQueue } from '../channels.ts';

/** Throws. `use`: as 'set' or 'taken from'. */
export function absent(channel: string, use: string): never {
  throw new Error(
    `The channel '${channel}' cannot be ${use} on a joined host: only the machine of the daemon does that. Run this part there.`,
  );
}

export const absentQueue = <T>(name: string): WorkQueue<T> => ({
  put: async () => absent(name, 'put into'),
  taker: () => absent(name, 'taken from'),
  depth: async () => absent(name, 'counted'),
});

export const absentRegister = <T>(name: string): Register<T> => ({
  set: async () => absent(name, 'set'),
  get: async () => absent(name, 'read'),
  watch: () => absent(name, 'watched'),
});

export const absentTopic = <T>(name: string): Topic<T> => ({
  publish: () => absent(name, 'published to'),
  listen: () => absent(name, 'listened to'),
});
