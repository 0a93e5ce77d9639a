// The gate in the channel of orders that turns the real scheduler into a coupled one. It holds orders back until all rollouts of a
// batch, or of a group, have ended. Everything behind it is unchanged, so schedules differ in nothing else.

import type { Clock } from '../../core/clock.ts';
import type { GroupId } from '../../core/ids.ts';
import type { Order } from '../../core/order.ts';
import type { Taken, WorkQueue } from '../../fabric/channels.ts';

/**
 * batch-wise: a batch starts together, and the next one when all its rollouts have ended.
 * task-wise: a group has one desktop per rollout, and they wait until the whole group has ended.
 * rollout-wise: a free desktop starts the next rollout at once. There is no gate.
 */
export type Scheduling = 'batch-wise' | 'task-wise' | 'rollout-wise';
export type CoupledScheduling = Exclude<Scheduling, 'rollout-wise'>;

export interface GateSizes {
  /** Rollouts of a batch. */
  readonly batch: number;
  /** Groups that the desktops can play at once. */
  readonly groups: number;
}

/** How many waiting orders may start now. `running` has the unfinished rollouts of each group. */
export function releasable(
  scheduling: CoupledScheduling,
  waiting: readonly Pick<Order, 'group'>[],
  running: ReadonlyMap<GroupId, number>,
  { batch, groups }: GateSizes,
): number {
  if (scheduling === 'batch-wise') return running.size === 0 ? Math.min(batch, waiting.length) : 0;
  const groupsSeen = new Set(running.keys());
  const end = waiting.findIndex(({ group }) => groupsSeen.add(group).size > groups);
  return end < 0 ? waiting.length : end;
}

export function orderGate(
  inner: WorkQueue<Order>,
  scheduling: CoupledScheduling,
  sizes: GateSizes,
  clock: Clock,
): WorkQueue<Order> {
  const running = new Map<GroupId, number>();
  const waiting: Order[] = [];
  let isScheduled = false;

  /** Orders arrive one by one; those that arrive at the same moment are released together. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    void clock.sleep(0).then(release);
  };
  const release = async (): Promise<void> => {
    isScheduled = false;
    const count = releasable(scheduling, waiting, running, sizes);
    for (const order of waiting.splice(0, count)) {
      running.set(order.group, (running.get(order.group) ?? 0) + 1);
      await inner.put(order);
    }
  };
  const counted = (taken: Taken<Order>): Taken<Order> => ({
    ...taken,
    acknowledge: async () => {
      await taken.acknowledge();
      const { group } = taken.item;
      const left = (running.get(group) ?? 1) - 1;
      if (left > 0) running.set(group, left);
      else running.delete(group);
      schedule();
    },
  });

  return {
    put: async order => {
      waiting.push(order);
      schedule();
    },
    taker: () => {
      const taker = inner.taker();
      return {
        take: async signal => counted(await taker.take(signal)),
        tryTake: async () => {
          const taken = await taker.tryTake();
          return taken && counted(taken);
        },
        close: () => taker.close(),
      };
    },
    depth: async () => {
      const depth = await inner.depth();
      return { ...depth, waiting: depth.waiting + waiting.length };
    },
  };
}
