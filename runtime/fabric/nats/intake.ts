// The daemon's side of a queue that only it takes from. Hosts put into a stream of the broker (outbox.ts), and the daemon moves the messages
// into an embedded queue. So its own host and its trainer do not depend on the broker.

import { JetStreamError, type JsMsg, PubHeaders } from '@nats-io/jetstream';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { isTransient } from '../../lease/nats/calls.ts';
import type { Depth, Taker, WorkQueue } from '../channels.ts';
import { EmbeddedQueue } from '../embedded/queue.ts';
import type { Broker } from './broker.ts';
import { mayBeRepeated, UnfitValue, type ValueCodec } from './codec.ts';
import type { HostGuard } from './host-guard.ts';
import { senderOf } from './names.ts';
import { INTAKE_CONSUMER } from './streams.ts';

const MESSAGES_PER_FETCH = 64;
const FETCH_MS = 5000;
/** More would fill the memory of the daemon; they wait in the broker. The modules stop far below it. */
const MAX_WAITING = 4000;
const FULL_MS = 50;
/** Between two looks whether all messages have arrived. */
const CATCH_UP_MS = 500;
/** The broker forgets the ids of acknowledged messages when it restarts, so they are remembered here too. */
const MAX_REMEMBERED_IDS = 20_000;

/** A server that shuts down ends a fetch with a status. */
const mayFetchAgain = (error: unknown): boolean => isTransient(error) || error instanceof JetStreamError;

export interface IntakeOptions {
  /** The channel. */
  readonly name: string;
  readonly stream: string;
  readonly broker: Broker;
  readonly codec: ValueCodec;
  readonly guard: HostGuard;
  readonly clock: Clock;
}

export class IntakeQueue<T> implements WorkQueue<T> {
  readonly #options: IntakeOptions;
  readonly #queue: EmbeddedQueue<T>;
  readonly #ids = new Set<string>();

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#queue = new EmbeddedQueue(options.name);
  }

  put(item: T): Promise<void> {
    return this.#queue.put(item);
  }

  taker(): Taker<T> {
    return this.#queue.taker();
  }

  depth(): Promise<Depth> {
    return this.#queue.depth();
  }

  close(): void {
    this.#queue.close();
  }

  /** Moves messages until the epoch is over. */
  async run(): Promise<void> {
    const { stream, broker, clock } = this.#options;
    while (!broker.over.aborted) {
      if ((await this.#queue.depth()).waiting >= MAX_WAITING) {
        await sleepUnlessAborted(clock, FULL_MS, broker.over);
        continue;
      }
      await broker.persist(async () => {
        const consumer = await broker.js.consumers.get(stream, INTAKE_CONSUMER);
        const messages = await consumer.fetch({ max_messages: MESSAGES_PER_FETCH, expires: FETCH_MS });
        for await (const message of messages) await this.#receive(message);
      }, mayFetchAgain);
    }
  }

  /** Resolves when everything that the broker has now was received. Rejects when the epoch is over. */
  async caughtUp(): Promise<void> {
    const { stream, broker, clock } = this.#options;
    const { state } = await broker.persist(() => broker.jsm.streams.info(stream));
    for (;;) {
      const { ack_floor, num_pending, num_ack_pending } = await broker.persist(() =>
        broker.jsm.consumers.info(stream, INTAKE_CONSUMER),
      );
      if (ack_floor.stream_seq >= state.last_seq || num_pending + num_ack_pending === 0) return;
      await clock.sleep(CATCH_UP_MS, broker.over);
    }
  }

  /** A message without a readable value is removed: nobody can read it. */
  async #receive(message: JsMsg): Promise<void> {
    const { name, broker, codec, guard } = this.#options;
    const host = senderOf(message.subject);
    // A host chooses the ids of its messages, so those of two hosts may be equal.
    const id = `${host} ${message.headers?.get(PubHeaders.MsgIdHdr) || message.seq}`;
    if (!this.#ids.has(id)) {
      try {
        const value = await broker.persist(() => codec.decode(message.data), mayBeRepeated);
        const accepted = guard.accept(name, value, host);
        if (accepted !== undefined) await this.#queue.put(accepted.value as T);
      } catch (error) {
        if (mayBeRepeated(error)) throw error;
        if (error instanceof UnfitValue) guard.unreadable(name, host, error);
        else broker.report(`the channel '${name}'`, error);
      }
      this.#remember(id);
    }
    message.ack();
  }

  #remember(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_REMEMBERED_IDS && oldest !== undefined) this.#ids.delete(oldest);
  }
}
