// Registers that the daemon sets and hosts follow, over a bucket of the broker.

import type { KV } from '@nats-io/kv';
import type { BlobHash } from '../../blobs/blobs.ts';
import type { Register } from '../channels.ts';
import { EmbeddedRegister } from '../embedded/register.ts';
import { absent } from './absent.ts';
import type { Broker } from './broker.ts';
import { mayBeRepeated, type ValueCodec } from './codec.ts';
import { follow } from './follow.ts';

export interface SharedRegisterOptions {
  /** The channel, which is the key in the bucket. */
  readonly name: string;
  readonly bucket: KV;
  /** Of the key. */
  readonly subject: string;
  readonly broker: Broker;
  readonly codec: ValueCodec;
}

/**
 * The daemon's side. Its own modules see a value at once; hosts see it when the broker has it. A broker may lose a value that it had confirmed, as
 * after a loss of power; then the newest value is written again.
 */
export class PublishedRegister<T> implements Register<T> {
  readonly #options: SharedRegisterOptions;
  readonly #local: EmbeddedRegister<T>;
  /** Not yet written. A newer value replaces it. */
  #unwritten: { readonly value: T } | undefined;
  #isWriting = false;
  /** Of the last value that the broker confirmed. */
  #revision: number | undefined;
  #blobs: readonly BlobHash[] = [];

  constructor(options: SharedRegisterOptions) {
    this.#options = options;
    this.#local = new EmbeddedRegister(options.name);
    options.broker.pulsed(() => void this.#writeLost());
  }

  /** Of the value in the bucket, and of the one that is written now. */
  get blobs(): readonly BlobHash[] {
    return this.#blobs;
  }

  async set(value: T): Promise<void> {
    await this.#local.set(value);
    this.#unwritten = { value };
    if (!this.#isWriting) void this.#write();
  }

  get(): Promise<T | undefined> {
    return this.#local.get();
  }

  watch(signal?: AbortSignal): AsyncIterable<T> {
    return this.#local.watch(signal);
  }

  close(): void {
    this.#local.close();
  }

  async #write(): Promise<void> {
    const { name, bucket, broker, codec } = this.#options;
    this.#isWriting = true;
    try {
      for (let next = this.#unwritten; next !== undefined; next = this.#unwritten) {
        const { value } = next;
        this.#unwritten = undefined;
        const { bytes, blobs } = await broker.persist(() => codec.encode(value), mayBeRepeated);
        const before = this.#blobs;
        this.#blobs = [...before, ...blobs];
        this.#revision = await broker.persist(() => bucket.put(name, bytes));
        this.#blobs = blobs;
      }
    } catch (error) {
      if (!broker.over.aborted) broker.report(`the channel '${name}'`, error);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Writes the newest value again if the broker has another one. Only the daemon writes. */
  async #writeLost(): Promise<void> {
    const { name, bucket } = this.#options;
    const revision = this.#revision;
    if (revision === undefined || this.#isWriting) return;
    try {
      const entry = await bucket.get(name);
      const value = await this.#local.get();
      if (value === undefined || entry?.revision === revision) return;
      // A newer value was set meanwhile.
      if (this.#isWriting || this.#revision !== revision) return;
      this.#unwritten = { value };
      await this.#write();
    } catch {
      // The next pulse looks again.
    }
  }
}

/** A host's side. */
export class FollowedRegister<T> implements Register<T> {
  readonly #options: SharedRegisterOptions;
  readonly #local: EmbeddedRegister<T>;
  /** Resolves when the bucket was read once. */
  #first: Promise<void> | undefined;
  /** Of the value that was read last. */
  #version = '';

  constructor(options: SharedRegisterOptions) {
    this.#options = options;
    this.#local = new EmbeddedRegister(options.name);
  }

  async set(): Promise<void> {
    absent(this.#options.name, 'set');
  }

  async get(): Promise<T | undefined> {
    await this.#follow();
    return this.#local.get();
  }

  watch(signal?: AbortSignal): AsyncIterable<T> {
    // Rejects when the epoch is over; then the fabric closes the watch.
    void this.#follow().catch(() => undefined);
    return this.#local.watch(signal);
  }

  close(): void {
    this.#local.close();
  }

  /** From the first use on: weights are large. */
  #follow(): Promise<void> {
    const { name, subject, broker } = this.#options;
    this.#first ??= new Promise((resolve, reject) => {
      const read = async () => {
        await this.#read();
        resolve();
      };
      void follow(broker, { thing: `the channel '${name}'`, subject, read }).then(
        () => reject(broker.over.reason),
        reject,
      );
    });
    return this.#first;
  }

  async #read(): Promise<void> {
    const { name, bucket, broker, codec } = this.#options;
    const entry = await bucket.get(name);
    if (entry === null) return;
    // Revisions repeat after the broker has lost values.
    const version = `${entry.revision} ${entry.created.getTime()}`;
    if (version === this.#version) return;
    const value = (await broker.persist(() => codec.decode(entry.value), mayBeRepeated)) as T;
    this.#version = version;
    await this.#local.set(value);
  }
}
