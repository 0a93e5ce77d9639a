// What makes a scheduler a coupled one: a gate in the channel of orders. It holds orders back until all of a batch, or all of a task's
// group, has come home. Everything behind it is the real thing, so that schedules differ in nothing else.

import type { Clock } from '../../core/clock.ts';
import type { GroupId } from '../../core/ids.ts';
import type { Order } from '../../core/order.ts';
import type { Depth, Taken, Taker, WorkQueue } from '../../fabric/channels.ts';

/**
 * batch-wise: a batch starts together, and the next one when all of it has ended.
 * task-wise: each group has as many desktops as it has rollouts, and these wait until all of it has ended.
 * rollout-wise: the moment a desktop is free it starts whatever is next. There is no gate.
 */
export type Scheduling = 'batch-wise' | 'task-wise' | 'rollout-wise';
export type Coupled = Exclude<Scheduling, 'rollout-wise'>;

export interface Sizes {
  /** Rollouts of a batch. */
  readonly batch: number;
  /** Groups that there are desktops for. */
  readonly groups: number;
}

/** How many of those that wait may go out now. `out` are the groups under way, with how many of each are not home. */
export function released(
  scheduling: Coupled,
  waiting: readonly Pick<Order, 'group'>[],
  out: ReadonlyMap<GroupId, number>,
  { batch, groups }: Sizes,
): number {
  if (scheduling === 'batch-wise') return out.size === 0 ? Math.min(batch, waiting.length) : 0;
  const known = new Set(out.keys());
  const end = waiting.findIndex(({ group }) => known.add(group).size > groups);
  return end < 0 ? waiting.length : end;
}

export class Gate implements WorkQueue<Order> {
  readonly #inner: WorkQueue<Order>;
  readonly #scheduling: Coupled;
  readonly #sizes: Sizes;
  readonly #clock: Clock;
  readonly #out = new Map<GroupId, number>();
  #waiting: Order[] = [];
  #isDue = false;

  constructor(inner: WorkQueue<Order>, scheduling: Coupled, sizes: Sizes, clock: Clock) {
    this.#inner = inner;
    this.#scheduling = scheduling;
    this.#sizes = sizes;
    this.#clock = clock;
  }

  async put(order: Order): Promise<void> {
    this.#waiting.push(order);
    this.#look();
  }

  taker(): Taker<Order> {
    const taker = this.#inner.taker();
    return {
      take: async signal => this.#watched(await taker.take(signal)),
      tryTake: async () => {
        const taken = await taker.tryTake();
        return taken && this.#watched(taken);
      },
      close: () => taker.close(),
    };
  }

  async depth(): Promise<Depth> {
    const { waiting, taken } = await this.#inner.depth();
    return { waiting: waiting + this.#waiting.length, taken };
  }

  #watched(taken: Taken<Order>): Taken<Order> {
    return {
      ...taken,
      acknowledge: async () => {
        await taken.acknowledge();
        const { group } = taken.item;
        const left = (this.#out.get(group) ?? 1) - 1;
        if (left > 0) this.#out.set(group, left);
        else this.#out.delete(group);
        this.#look();
      },
    };
  }

  /** Orders come one by one: all that come at one moment, and whatever comes of that, are looked at together. */
  #look(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#clock.sleep(0).then(() => this.#open());
  }

  async #open(): Promise<void> {
    this.#isDue = false;
    const count = released(this.#scheduling, this.#waiting, this.#out, this.#sizes);
    for (const order of this.#waiting.splice(0, count)) {
      this.#out.set(order.group, (this.#out.get(order.group) ?? 0) + 1);
      await this.#inner.put(order);
    }
  }
}
