// A host's side of a queue that only the daemon takes from. A put waits while the broker is away, and is repeated with the same message id:
// nothing is put twice.

import type { Clock } from '../../core/clock.ts';
import type { Depth, Taker, WorkQueue } from '../channels.ts';
import { Line } from '../line.ts';
import { absent } from './absent.ts';
import type { Broker } from './broker.ts';
import { mayBeRepeated, type ValueCodec } from './codec.ts';

/** Puts beyond it wait for room, so that a long absence of the broker does not fill the memory. */
const MAX_UNSENT = 1000;

/** The store removes blobs that nobody used for ten minutes; encoding again puts them again. */
const MAX_ENCODED_AGE_MS = 5 * 60_000;

const DEPTH_TIMEOUT_MS = 5000;

export interface OutboxOptions {
  /** The channel. */
  readonly name: string;
  /** The subject of its stream. */
  readonly subject: string;
  /** The daemon answers there with the depth. */
  readonly depthSubject: string;
  readonly broker: Broker;
  readonly codec: ValueCodec;
  readonly clock: Clock;
  /** Different for each message, in all processes. */
  readonly nextId: () => string;
}

export class Outbox<T> implements WorkQueue<T> {
  readonly #options: OutboxOptions;
  readonly #room = new Line<void>();
  readonly #idle = new Line<void>();
  #unsent = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  async put(item: T): Promise<void> {
    const { subject, broker, clock, nextId } = this.#options;
    if (this.#unsent >= MAX_UNSENT) await this.#room.wait(broker.over);
    this.#unsent += 1;
    try {
      const msgID = nextId();
      let encoded = await this.#encoded(item);
      await broker.persist(async () => {
        if (clock.now() - encoded.at >= MAX_ENCODED_AGE_MS) encoded = await this.#encoded(item);
        await broker.js.publish(subject, encoded.bytes, { msgID });
      });
    } finally {
      this.#unsent -= 1;
      this.#room.serve();
      while (this.#unsent === 0 && this.#idle.serve());
    }
  }

  #encoded(item: T): Promise<{ readonly bytes: Uint8Array; readonly at: number }> {
    const { broker, codec, clock } = this.#options;
    return broker.persist(async () => {
      const at = clock.now();
      const { bytes } = await codec.encode(item);
      return { bytes, at };
    }, mayBeRepeated);
  }

  taker(): Taker<T> {
    return absent(this.#options.name, 'taken from');
  }

  /** As the daemon counts: without messages that are still on their way. */
  async depth(): Promise<Depth> {
    const { depthSubject, broker } = this.#options;
    const reply = await broker.persist(() =>
      broker.connection.request(depthSubject, '', { timeout: DEPTH_TIMEOUT_MS }),
    );
    return reply.json<Depth>();
  }

  /** Resolves when nothing waits to be sent. */
  async sent(): Promise<void> {
    if (this.#unsent > 0) await this.#idle.wait();
  }
}
