// Topics that hosts publish to and the daemon listens to, as plain messages of the broker. They may be lost.

import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Heard, Topic } from '../channels.ts';
import { EmbeddedTopic } from '../embedded/topic.ts';
import { Line } from '../line.ts';
import { absent } from './absent.ts';
import type { Broker } from './broker.ts';
import { UnfitValue, type ValueCodec } from './codec.ts';
import type { HostGuard } from './host-guard.ts';
import { senderOf } from './names.ts';

interface SharedTopicOptions {
  /** The channel. */
  readonly name: string;
  /** Of this member for a host, of all for the daemon. */
  readonly subject: string;
  readonly codec: ValueCodec;
}

export interface SentTopicOptions<T> extends SharedTopicOptions {
  readonly broker: Pick<Broker, 'isUp' | 'over'> & { readonly connection: Pick<NatsConnection, 'publish'> };
  /** An event takes the place of one with the same key that still waits. */
  readonly keyOf?: (event: T) => string;
}

export interface HeardTopicOptions extends SharedTopicOptions {
  readonly broker: Pick<Broker, 'over'> & { readonly connection: Pick<NatsConnection, 'subscribe'> };
  readonly guard: HostGuard;
}

/** The number of events of all senders that can wait for their blobs. */
const MAX_WAITING = 1000;
/** A viewer prefers a new picture to many old ones. */
const MAX_WAITING_VIEWS = 200;
/** The number of items that are passed on at the same time. A value from a hostile host can need gigabytes. */
const MAX_PASSING = 4;

/** The daemon's side. Its own events do not pass through the broker. */
export class HeardTopic<T> extends EmbeddedTopic<T> {
  constructor({ name, subject, broker, codec, guard }: HeardTopicOptions) {
    super();
    const maxWaiting = name === 'views' ? MAX_WAITING_VIEWS : MAX_WAITING;
    const arrivals = new InOrder<Msg>(maxWaiting, async ({ data, subject: from }) => {
      const host = senderOf(from);
      try {
        const accepted = guard.accept(name, await codec.decode(data), host);
        if (accepted !== undefined) this.publish(accepted.value as T);
      } catch (error) {
        if (error instanceof UnfitValue) guard.unreadable(name, host, error);
      }
    });
    const subscription = broker.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) arrivals.add(message, senderOf(message.subject));
      },
    });
    broker.over.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
  }
}

const THIS_MEMBER = '';

/** A host's side. */
export class SentTopic<T> implements Topic<T> {
  readonly #name: string;
  readonly #departures: InOrder<T>;
  readonly #keyOf: ((event: T) => string) | undefined;

  constructor({ name, subject, broker, codec, keyOf }: SentTopicOptions<T>) {
    this.#name = name;
    this.#keyOf = keyOf;
    this.#departures = new InOrder(MAX_WAITING, async event => {
      const { bytes } = await codec.encode(event);
      // The connection would keep it and send it later, when it is old.
      if (broker.isUp && !broker.over.aborted) broker.connection.publish(subject, bytes);
    });
  }

  publish(event: T): void {
    this.#departures.add(event, THIS_MEMBER, this.#keyOf?.(event));
  }

  listen(): AsyncIterable<Heard<T>> {
    return absent(this.#name, 'listened to');
  }
}

/** Passes the items of each sender on one after another, and drops those that fail. When too many wait, the sender with the most loses its oldest. */
class InOrder<T> {
  readonly #maxWaiting: number;
  readonly #pass: (item: T) => Promise<void>;
  /** By sender and key, the oldest first. A sender is here while its items wait or are passed on. */
  readonly #waiting = new Map<string, Map<string | symbol, T>>();
  readonly #turns = new Line<void>();
  #passing = 0;

  constructor(maxWaiting: number, pass: (item: T) => Promise<void>) {
    this.#maxWaiting = maxWaiting;
    this.#pass = pass;
  }

  /** Replaces the item with the same key, if one waits. */
  add(item: T, sender: string, key: string | symbol = Symbol('of one item')): void {
    const known = this.#waiting.get(sender);
    const items = known ?? new Map<string | symbol, T>();
    items.set(key, item);
    if (known === undefined) {
      this.#waiting.set(sender, items);
      void this.#passAll(sender, items);
    }
    this.#dropOldest();
  }

  #dropOldest(): void {
    let [count, most] = [0, new Map<string | symbol, T>()];
    for (const items of this.#waiting.values()) {
      count += items.size;
      if (items.size > most.size) most = items;
    }
    const [oldest] = most.keys();
    if (count > this.#maxWaiting && oldest !== undefined) most.delete(oldest);
  }

  async #passAll(sender: string, items: Map<string | symbol, T>): Promise<void> {
    // Includes those that are added meanwhile.
    while (items.size > 0) {
      if (this.#passing < MAX_PASSING) this.#passing += 1;
      else await this.#turns.wait();
      const [oldest] = items;
      if (oldest !== undefined) {
        const [key, item] = oldest;
        items.delete(key);
        // A reader may miss items of a topic.
        await this.#pass(item).catch(() => undefined);
      }
      if (!this.#turns.serve()) this.#passing -= 1;
    }
    this.#waiting.delete(sender);
  }
}
