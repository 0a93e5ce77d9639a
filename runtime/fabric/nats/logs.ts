// A log to which the daemon appends and which hosts follow, over a stream of the broker. The number of an entry is its position in the stream.

import { isWrongRevision } from '../../lease/nats/calls.ts';
import type { Log, Numbered } from '../channels.ts';
import { EmbeddedLog } from '../embedded/log.ts';
import { absent } from './absent.ts';
import type { Broker } from './broker.ts';
import { mayBeRepeated, type ValueCodec } from './codec.ts';
import { follow } from './follow.ts';

export interface SharedLogOptions {
  /** The channel. */
  readonly name: string;
  readonly stream: string;
  /** Of the stream. */
  readonly subject: string;
  readonly broker: Broker;
  readonly codec: ValueCodec;
}

/** The daemon's side. Its own modules see an entry at once; hosts see it when the broker has it. */
export class PublishedLog<T> implements Log<T> {
  readonly #options: SharedLogOptions;
  readonly #local: EmbeddedLog<T>;
  readonly #entries: T[] = [];
  /** The number of entries that the broker has stored. */
  #written = 0;
  #isWriting = false;

  constructor(options: SharedLogOptions) {
    this.#options = options;
    this.#local = new EmbeddedLog(options.name);
  }

  async append(entry: T): Promise<number> {
    const number = await this.#local.append(entry);
    this.#entries.push(entry);
    if (!this.#isWriting) void this.#write();
    return number;
  }

  read(from: number, signal?: AbortSignal): AsyncIterable<Numbered<T>> {
    return this.#local.read(from, signal);
  }

  close(): void {
    this.#local.close();
  }

  async #write(): Promise<void> {
    const { name, broker, codec } = this.#options;
    this.#isWriting = true;
    try {
      while (this.#written < this.#entries.length) {
        const number = this.#written;
        const { bytes } = await broker.persist(() => codec.encode(this.#entries[number]), mayBeRepeated);
        this.#written = await broker.persist(() => this.#writeAt(number, bytes));
      }
    } catch (error) {
      if (!broker.over.aborted) broker.report(`the channel '${name}'`, error);
    } finally {
      this.#isWriting = false;
    }
  }

  /** The number of entries that the broker has then. */
  async #writeAt(number: number, bytes: Uint8Array): Promise<number> {
    const { stream, subject, broker } = this.#options;
    try {
      await broker.js.publish(subject, bytes, { expect: { lastSequence: number } });
    } catch (error) {
      if (!isWrongRevision(error)) throw error;
      // Only the daemon appends. If the position is taken, then by this entry: an earlier call had arrived, but not its reply. Otherwise the
      // broker has lost entries that it had confirmed, as after a loss of power, and gets them again.
      const { state } = await broker.jsm.streams.info(stream);
      return Math.min(state.last_seq, number + 1);
    }
    return number + 1;
  }
}

/** A host's side. */
export class FollowedLog<T> implements Log<T> {
  readonly #options: SharedLogOptions;
  readonly #local: EmbeddedLog<T>;
  #length = 0;

  constructor(options: SharedLogOptions) {
    this.#options = options;
    this.#local = new EmbeddedLog(options.name);
  }

  async append(): Promise<number> {
    return absent(this.#options.name, 'appended to');
  }

  read(from: number, signal?: AbortSignal): AsyncIterable<Numbered<T>> {
    return this.#local.read(from, signal);
  }

  close(): void {
    this.#local.close();
  }

  /** Reads entries until the epoch is over. */
  async run(): Promise<void> {
    const { name, subject, broker } = this.#options;
    await follow(broker, { thing: `the channel '${name}'`, subject, read: () => this.#read() });
  }

  async #read(): Promise<void> {
    const { stream, broker, codec } = this.#options;
    for (;;) {
      // Positions in a stream count from 1.
      const message = await broker.jsm.direct.getMessage(stream, { seq: this.#length + 1 });
      if (message === null) return;
      await this.#local.append((await broker.persist(() => codec.decode(message.data), mayBeRepeated)) as T);
      this.#length += 1;
    }
  }
}
