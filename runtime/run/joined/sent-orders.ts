// The orders that hosts may play, and whether each one has a result. If a result is lost, the order is put again; after several losses it
// ends as a broken rollout. So its group does not wait for ever.

import { COMPACT_AGENT } from '../../core/agent.ts';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { sentenceOf } from '../../core/errors.ts';
import { type OrderId, trajectoryId } from '../../core/ids.ts';
import type { Order } from '../../core/order.ts';
import type { Trajectory } from '../../core/trajectory.ts';

export interface SentOrdersOptions {
  /** The agent of the run. */
  readonly agent: string;
  /** Puts the order again. */
  readonly replay: (order: Order) => void;
  /** Puts a broken rollout, which ends its order. */
  readonly end: (rollout: Trajectory) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** More would only cost time: a host of another version loses all results. */
const MAX_REPLAYS = 3;
const LOOK_INTERVAL_MS = 10_000;
/** In reports. */
const LOST_ORDERS = 'lost orders';
/** Of orders that are remembered as a whole: first those are forgotten that have a result. */
const MAX_ORDERS = 20_000;
/** Of forgotten orders, the latest. A host that slept for hours may still send results of them. */
const MAX_FORGOTTEN = 200_000;

interface SentOrder {
  readonly order: Order;
  replays: number;
  hasResult: boolean;
}

export class SentOrders {
  readonly #options: SentOrdersOptions;
  readonly #orders = new Map<OrderId, SentOrder>();
  readonly #forgotten = new Set<OrderId>();

  constructor(options: SentOrdersOptions) {
    this.#options = options;
  }

  /** Hosts may play it from now on. */
  sent(order: Order): void {
    if (this.#orders.has(order.id)) return;
    this.#orders.set(order.id, { order, replays: 0, hasResult: false });
    if (this.#orders.size > MAX_ORDERS) this.#forgetOne();
  }

  /** It was sent, and has a result or none is awaited any more: another one is no fault of its host. */
  isForgotten(id: OrderId | undefined): boolean {
    return id !== undefined && this.#forgotten.has(id);
  }

  #forgetOne(): void {
    const [oldest] = this.#orders.keys();
    let forgotten = oldest;
    for (const [id, { hasResult }] of this.#orders)
      if (hasResult) {
        forgotten = id;
        break;
      }
    if (forgotten === undefined) return;
    this.#orders.delete(forgotten);
    this.#forgotten.add(forgotten);
    const [first] = this.#forgotten;
    if (this.#forgotten.size > MAX_FORGOTTEN && first !== undefined) this.#forgotten.delete(first);
  }

  find(id: OrderId | undefined): Order | undefined {
    return id === undefined ? undefined : this.#orders.get(id)?.order;
  }

  /** The curator gets a result of it. */
  finished(id: OrderId | undefined): void {
    const sent = id === undefined ? undefined : this.#orders.get(id);
    if (sent !== undefined) sent.hasResult = true;
  }

  /** A host has finished it, and no result of it will arrive. Ignored for an unknown order and for one with another result. */
  lost(id: OrderId): void {
    const sent = this.#orders.get(id);
    if (sent === undefined || sent.hasResult) return;
    if (sent.replays < MAX_REPLAYS) {
      sent.replays += 1;
      this.#options.replay(sent.order);
      return;
    }
    sent.hasResult = true;
    const { agent, end, now } = this.#options;
    end(brokenRollout(sent.order, agent, now()));
  }
}

export interface UnplayedOrdersOptions {
  readonly orders: Pick<SentOrders, 'lost'>;
  /** Orders that hosts have completed since the last call. Their results have arrived. */
  readonly completed: () => Promise<readonly Order[]>;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/**
 * Until the signal is aborted: an order that a host completed without a result is lost. Its result was wrong, the host has another version or a
 * fault, or the broker lost the order or the result.
 */
export async function findUnplayedOrders(
  { orders, completed, clock, health }: UnplayedOrdersOptions,
  over: AbortSignal,
): Promise<void> {
  let isFailing = false;
  for (;;) {
    await sleepUnlessAborted(clock, LOOK_INTERVAL_MS, over);
    if (over.aborted) return;
    try {
      // Ignored for orders with a result.
      for (const { id } of await completed()) orders.lost(id);
      if (isFailing) health(LOST_ORDERS, true, 'are found again');
      isFailing = false;
    } catch (error) {
      isFailing = true;
      if (!over.aborted) health(LOST_ORDERS, false, `They cannot be found: ${sentenceOf(error)}`);
    }
  }
}

function brokenRollout(order: Order, agent: string, at: number): Trajectory {
  const { id, run, group, instance, purpose, mode, maxSteps } = order;
  const message = `Joined hosts finished the order ${id} ${MAX_REPLAYS + 1} times without a result that the daemon can use. Install the same version of Dartboard on all machines.`;
  return {
    // Attempts of hosts count from 1.
    ...{ id: trajectoryId(`${id}.0`), order: id, run, group },
    ...{ instance, instruction: '', purpose, mode, maxSteps },
    provenance: { kind: 'rollout' },
    ...(agent !== COMPACT_AGENT && { agent }),
    ...{ steps: [], frames: { kind: 'png', images: [] } },
    outcome: { kind: 'broken', failure: { boundary: 'provider', thing: 'trajectories', message } },
    ...{ startedAt: at, endedAt: at },
  };
}
