// Topics that hosts publish to and the daemon listens to, as plain messages of the broker. They may be lost.

import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Heard, Topic } from '../channels.ts';
import { EmbeddedTopic } from '../embedded/topic.ts';
import { absent } from './absent.ts';
import type { Broker } from './broker.ts';
import { UnfitValue, type ValueCodec } from './codec.ts';
import type { HostGuard } from './host-guard.ts';
import { senderOf } from './names.ts';

export interface SharedTopicOptions {
  /** The channel. */
  readonly name: string;
  /** Of this member for a host, of all for the daemon. */
  readonly subject: string;
  readonly broker: Broker;
  readonly codec: ValueCodec;
}

export interface SentTopicOptions<T> extends Omit<SharedTopicOptions, 'broker'> {
  readonly broker: Pick<Broker, 'isUp' | 'over'> & { readonly connection: Pick<NatsConnection, 'publish'> };
  /** An event takes the place of one with the same key that still waits. */
  readonly keyOf?: (event: T) => string;
}

export interface HeardTopicOptions extends SharedTopicOptions {
  readonly guard: HostGuard;
}

/** Events that wait for their blobs. More are dropped, the oldest first. */
const MAX_WAITING = 1000;

/** The daemon's side. Its own events do not pass through the broker. */
export class HeardTopic<T> extends EmbeddedTopic<T> {
  constructor({ name, subject, broker, codec, guard }: HeardTopicOptions) {
    super();
    const arrivals = new InOrder<Msg>(async ({ data, subject: from }) => {
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
        if (error === null) arrivals.add(message);
      },
    });
    broker.over.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
  }
}

/** A host's side. */
export class SentTopic<T> implements Topic<T> {
  readonly #name: string;
  readonly #departures: InOrder<T>;
  readonly #keyOf: ((event: T) => string) | undefined;

  constructor({ name, subject, broker, codec, keyOf }: SentTopicOptions<T>) {
    this.#name = name;
    this.#keyOf = keyOf;
    this.#departures = new InOrder(async event => {
      const { bytes } = await codec.encode(event);
      // The connection would keep it and send it later, when it is old.
      if (broker.isUp && !broker.over.aborted) broker.connection.publish(subject, bytes);
    });
  }

  publish(event: T): void {
    this.#departures.add(event, this.#keyOf?.(event));
  }

  listen(): AsyncIterable<Heard<T>> {
    return absent(this.#name, 'listened to');
  }
}

/** Passes items on one after another. Those that fail, and the oldest when too many wait, are dropped. */
class InOrder<T> {
  readonly #pass: (item: T) => Promise<void>;
  /** By their keys, the oldest first. */
  readonly #waiting = new Map<string | symbol, T>();
  #isPassing = false;

  constructor(pass: (item: T) => Promise<void>) {
    this.#pass = pass;
  }

  /** Replaces the item with the same key, if one waits. */
  add(item: T, key: string | symbol = Symbol('of one item')): void {
    this.#waiting.set(key, item);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    if (!this.#isPassing) void this.#passAll();
  }

  async #passAll(): Promise<void> {
    this.#isPassing = true;
    // Includes those that are added meanwhile.
    for (const [key, item] of this.#waiting) {
      this.#waiting.delete(key);
      // A reader may miss items of a topic.
      await this.#pass(item).catch(() => undefined);
    }
    this.#isPassing = false;
  }
}
