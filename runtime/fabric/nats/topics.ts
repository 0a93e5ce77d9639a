// Topics that hosts publish to and the daemon listens to, as plain messages of the broker. They may be lost.

import type { Msg } from '@nats-io/transport-node';
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

  constructor({ name, subject, broker, codec }: SharedTopicOptions) {
    this.#name = name;
    this.#departures = new InOrder(async event => {
      const { bytes } = await codec.encode(event);
      // The connection would keep it and send it later, when it is old.
      if (broker.isUp && !broker.over.aborted) broker.connection.publish(subject, bytes);
    });
  }

  publish(event: T): void {
    this.#departures.add(event);
  }

  listen(): AsyncIterable<Heard<T>> {
    return absent(this.#name, 'listened to');
  }
}

/** Passes items on one after another. Those that fail, and the oldest when too many wait, are dropped. */
class InOrder<T> {
  readonly #pass: (item: T) => Promise<void>;
  readonly #waiting: T[] = [];
  #isPassing = false;

  constructor(pass: (item: T) => Promise<void>) {
    this.#pass = pass;
  }

  add(item: T): void {
    this.#waiting.push(item);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    if (!this.#isPassing) void this.#passAll();
  }

  async #passAll(): Promise<void> {
    this.#isPassing = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      await this.#pass(next).catch(() => undefined);
    this.#isPassing = false;
  }
}
