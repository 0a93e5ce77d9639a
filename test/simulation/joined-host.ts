// A host that has joined a simulated run over a network that loses, delays and repeats calls. Its orders are leased from a broker.

import type { Order } from '../../runtime/core/order.ts';
import type { Random } from '../../runtime/core/rng.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import type { Register, WorkQueue } from '../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import { LeasedQueue } from '../../runtime/fabric/leased-queue.ts';
import type { LeaseQueue, WorkLease } from '../../runtime/lease/lease.ts';
import { Host, type HostStart } from '../../runtime/run/host/host.ts';
import { compactPolicy } from '../../runtime/run/host/host-policy-compact.ts';
import { EmbeddedLeaseQueue } from '../lease/embedded-leases.ts';
import { kindOf } from './desktops.ts';
import type { Life } from './life.ts';
import { SimulatedWorker } from './workers.ts';
import type { World } from './world.ts';

const TTL_MS = 3000;
const JOINS_AGAIN_AFTER_MS = 3000;
/** A call without a reply is made again. */
const CALL_TIMEOUT_MS = 400;

/** The leases of one epoch of a run. They end with its daemon. */
export class Broker {
  readonly leases: EmbeddedLeaseQueue<Order>;
  readonly daemon: Life;

  constructor(world: World, daemon: Life) {
    this.daemon = daemon;
    this.leases = new EmbeddedLeaseQueue({ ttlMs: TTL_MS, clock: world.clock });
  }

  /** The queue of one process. */
  queue(holder: string, life: Life, leases: LeaseQueue<Order> = this.leases): LeasedQueue<Order> {
    let count = 0;
    const nextId = () => `${holder}-${++count}`;
    return new LeasedQueue({ name: 'orders', leases, nextId, clock: life.clock });
  }
}

/** Joins, plays, and joins again when it was killed, until the daemon dies. */
export async function joinedHost(
  world: World,
  broker: Broker,
  fabric: Fabric,
  start: Omit<HostStart, 'host'>,
): Promise<void> {
  for (let number = 1; !broker.daemon.isDead; number++) {
    const host = `h${number}`;
    const life = world.begin(`joined host ${host} at ${world.passed}`, 'host');
    const link = new Link(world, broker, life, world.random.fork(life.name));
    const stop = new AbortController();
    broker.daemon.onDeath(() => life.die());
    const died = new Promise<void>(resolve => life.onDeath(resolve));
    const playing = new Host({
      ...{ ...start, host, clock: life.clock, kind: kindOf(world, life) },
      fabric: channelsOf(fabric, broker, life, link),
      policy: compactPolicy({
        rollout: start.config.rollout,
        startWorker: async index => new SimulatedWorker(world, life, index),
        clock: life.clock,
      }),
    }).run(stop.signal);
    playing.catch(error => {
      world.witness.note(`${life.name} failed: ${error}`);
      life.die();
    });
    await died;
    await world.clock.sleep(JOINS_AGAIN_AFTER_MS);
  }
}

/** The way from a host to the broker. */
class Link {
  readonly #world: World;
  readonly #broker: Broker;
  readonly #life: Life;
  readonly #random: Random;

  constructor(world: World, broker: Broker, life: Life, random: Random) {
    this.#world = world;
    this.#broker = broker;
    this.#life = life;
    this.#random = random;
  }

  /** Repeats the call until there is a reply, as clients of a broker do. */
  async call<R>(perform: () => Promise<R>): Promise<R> {
    for (;;) {
      const isLost = this.#happens();
      const isReplyLost = this.#happens();
      await this.late();
      if (!isLost) {
        const reply = perform();
        if (this.#happens()) this.#repeat(perform);
        if (!isReplyLost) {
          const result = await reply;
          await this.late();
          return result;
        }
        reply.catch(() => undefined);
      }
      await this.#life.clock.sleep(CALL_TIMEOUT_MS);
    }
  }

  late(): Promise<void> {
    return this.#life.clock.sleep(this.#random.int(this.#happens() ? 1000 : 20));
  }

  isLost(): boolean {
    return this.#broker.daemon.isDead || this.#happens();
  }

  /** The second one comes much later; nobody hears its reply. */
  #repeat(perform: () => Promise<unknown>): void {
    void this.#world.clock.sleep(this.#random.int(2 * TTL_MS)).then(() => {
      if (!this.#broker.daemon.isDead) perform().catch(() => undefined);
    });
  }

  #happens(): boolean {
    return !this.#world.isCalm && this.#random.next() < this.#world.plan.lossyCalls;
  }
}

function channelsOf(fabric: Fabric, broker: Broker, life: Life, link: Link): Fabric {
  const put = <T>(queue: WorkQueue<T>): WorkQueue<T> => ({
    taker: () => queue.taker(),
    depth: () => queue.depth(),
    put: item => link.call(() => queue.put(item)),
  });
  return {
    ...embeddedFabric(),
    orders: broker.queue(life.name, life, linked(broker.leases, link)),
    trajectories: put<Trajectory>(fabric.trajectories),
    lessons: put(fabric.lessons),
    weights: followed(fabric.weights, link),
    rates: followed(fabric.rates, link),
    needs: followed(fabric.needs, link),
    commands: fabric.commands,
    events: {
      publish: event => {
        if (!link.isLost()) fabric.events.publish(event);
      },
      listen: options => fabric.events.listen(options),
    },
  };
}

/** Later, and without values that were replaced meanwhile. */
const followed = <T>(register: Register<T>, link: Link): Register<T> => ({
  set: value => register.set(value),
  get: () => register.get(),
  watch: async function* (signal) {
    for await (const value of register.watch(signal)) {
      await link.late();
      yield value;
    }
  },
});

function linked<T>(leases: LeaseQueue<T>, link: Link): LeaseQueue<T> {
  const lease = ({ id, work, attempt, untouched, ...one }: WorkLease<T>): WorkLease<T> => ({
    ...{ id, work, attempt, untouched },
    heartbeat: () => link.call(one.heartbeat),
    complete: () => link.call(one.complete),
    fail: how => link.call(() => one.fail(how)),
  });
  return {
    ttlMs: leases.ttlMs,
    put: (id, work) => link.call(() => leases.put(id, work)),
    claim: async signal => lease(await leases.claim(signal)),
    tryClaim: async () => {
      const found = await link.call(() => leases.tryClaim());
      return found && lease(found);
    },
    count: () => link.call(() => leases.count()),
  };
}
