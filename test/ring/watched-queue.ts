// A queue that reports its items.

import type { Taken, WorkQueue } from '../../runtime/fabric/channels.ts';

export interface Hooks<T> {
  readonly put?: (item: T) => void;
  readonly acknowledged?: (item: T) => void;
}

/** Hooks come before what they are about, `seen` after them. */
export function watched<T>(
  queue: WorkQueue<T>,
  { put = () => {}, acknowledged = () => {} }: Hooks<T>,
  seen: (item: T, what: 'put' | 'done') => void,
): WorkQueue<T> {
  const watchedOne = (taken: Taken<T>): Taken<T> => ({
    ...taken,
    acknowledge: async () => {
      acknowledged(taken.item);
      seen(taken.item, 'done');
      await taken.acknowledge();
    },
  });
  return {
    depth: () => queue.depth(),
    put: async item => {
      put(item);
      seen(item, 'put');
      await queue.put(item);
    },
    taker: () => {
      const taker = queue.taker();
      return {
        take: async signal => watchedOne(await taker.take(signal)),
        tryTake: async () => {
          const taken = await taker.tryTake();
          return taken && watchedOne(taken);
        },
        close: () => taker.close(),
      };
    },
  };
}
