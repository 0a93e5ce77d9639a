// The gate in the channel of orders that turns the real scheduler into a coupled one. It holds orders back until all rollouts of a
// batch, or of a group, have ended. Everything behind it is unchanged, so schedules differ in nothing else.

import type { Clock } from '../../core/clock.ts';
import type { GroupId } from '../../core/ids.ts';
import type { Order } from '../../core/order.ts';
import type { Depth, Taken, Taker, WorkQueue } from '../../fabric/channels.ts';

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

export class OrderGate implements WorkQueue<Order> {
  readonly #inner: WorkQueue<Order>;
  readonly #scheduling: CoupledScheduling;
  readonly #sizes: GateSizes;
  readonly #clock: Clock;
  readonly #running = new Map<GroupId, number>();
  #waiting: Order[] = [];
  #isScheduled = false;

  constructor(inner: WorkQueue<Order>, scheduling: CoupledScheduling, sizes: GateSizes, clock: Clock) {
    this.#inner = inner;
    this.#scheduling = scheduling;
    this.#sizes = sizes;
    this.#clock = clock;
  }

  async put(order: Order): Promise<void> {
    this.#waiting.push(order);
    this.#schedule();
  }

  taker(): Taker<Order> {
    const taker = this.#inner.taker();
    return {
      take: async signal => this.#counted(await taker.take(signal)),
      tryTake: async () => {
        const taken = await taker.tryTake();
        return taken && this.#counted(taken);
      },
      close: () => taker.close(),
    };
  }

  async depth(): Promise<Depth> {
    const { waiting, taken } = await this.#inner.depth();
    return { waiting: waiting + this.#waiting.length, taken };
  }

  #counted(taken: Taken<Order>): Taken<Order> {
    return {
      ...taken,
      acknowledge: async () => {
        await taken.acknowledge();
        const { group } = taken.item;
        const left = (this.#running.get(group) ?? 1) - 1;
        if (left > 0) this.#running.set(group, left);
        else this.#running.delete(group);
        this.#schedule();
      },
    };
  }

  /** Orders arrive one by one; those that arrive at the same moment are released together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    void this.#clock.sleep(0).then(() => this.#release());
  }

  async #release(): Promise<void> {
    this.#isScheduled = false;
    const count = releasable(this.#scheduling, this.#waiting, this.#running, this.#sizes);
    for (const order of this.#waiting.splice(0, count)) {
      this.#running.set(order.group, (this.#running.get(order.group) ?? 0) + 1);
      await this.#inner.put(order);
    }
  }
}
