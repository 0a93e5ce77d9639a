// The kinds of channel that connect the modules, and their laws. A fabric is made of them; what flows through is told in
// fabric.ts. The laws hold for any implementation, embedded or behind a message broker, and test/fabric has them as a suite.

/**
 * Work that is done by whoever takes it. Laws:
 * - First in, first out, among what waits; what is given back stands in front again, in its old order.
 * - An item is with one taker at a time, until it is acknowledged or given back.
 * - Nothing is lost: an item that was put is waiting, taken or acknowledged. A taker that goes gives back what it holds.
 * - It may come more than once: who takes work must be able to do it again. `attempt` says the how-manieth time it is.
 */
export interface WorkQueue<T> {
  put(item: T): Promise<void>;
  /** Takers are told apart by what they hold. */
  taker(): Taker<T>;
  depth(): Promise<Depth>;
}

export interface Taker<T> {
  /** The next item, as soon as there is one. Rejects with the signal's reason when it is aborted first; nothing is taken then. */
  take(signal?: AbortSignal): Promise<Taken<T>>;
  /** The next item if there is one now. */
  tryTake(): Promise<Taken<T> | undefined>;
  /** Gives back all that it holds; who waits for an item is told that the taker is gone. May be called more than once. */
  close(): Promise<void>;
}

export interface Taken<T> {
  readonly item: T;
  /** 1 the first time. */
  readonly attempt: number;
  /** It is done, and gone. Only the first of `acknowledge` and `giveBack` counts. */
  acknowledge(): Promise<void>;
  /** Somebody else shall do it. */
  giveBack(): Promise<void>;
}

export interface Depth {
  readonly waiting: number;
  readonly taken: number;
}

/**
 * The last value that was set. Laws:
 * - Who watches sees the value that there is, then each newer one or a still newer one in its place; never an older one.
 * - A slow watcher misses values in between, but never the last.
 */
export interface Register<T> {
  set(value: T): Promise<void>;
  get(): Promise<T | undefined>;
  watch(signal?: AbortSignal): AsyncIterable<T>;
}

/** A few things in the order in which they were said. Law: all readers see all of them from where they begin, in the same order. */
export interface Log<T> {
  /** Its number, counted from 0. */
  append(entry: T): Promise<number>;
  /** From this number on, and then what comes. */
  read(from: number, signal?: AbortSignal): AsyncIterable<Numbered<T>>;
}

export interface Numbered<T> {
  readonly number: number;
  readonly entry: T;
}

/**
 * What is said to whoever listens. Laws:
 * - Who publishes never waits for who listens.
 * - A listener gets what is published while it listens, in order; of more than `most` that it has not read, the oldest are
 *   dropped, and the next one that it reads says how many.
 */
export interface Topic<T> {
  publish(event: T): void;
  listen(options?: { readonly most?: number; readonly signal?: AbortSignal }): AsyncIterable<Heard<T>>;
}

export interface Heard<T> {
  readonly event: T;
  /** How many were dropped right before it. */
  readonly missed: number;
}

/** Why a call on a channel came to nothing. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed';
}
