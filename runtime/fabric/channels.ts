// The kinds of channel that connect the modules, and their laws. fabric.ts lists the channels of a run. Every implementation keeps the
// laws: embedded, behind a port, or over a broker; test/fabric has them as a suite.

/**
 * A queue of work. Laws:
 * - Waiting items leave first in, first out. Items that were given back leave before items that were never taken. JetStream keeps no other
 *   order among them.
 * - An item belongs to one taker at a time, until it is acknowledged or given back.
 * - No item is lost: it is waiting, taken or acknowledged. A taker that closes gives back its items.
 * - An item may be delivered more than once, so work must be repeatable. `attempt` counts the deliveries.
 */
export interface WorkQueue<T> {
  put(item: T): Promise<void>;
  /** Each taker has its own taken items. */
  taker(): Taker<T>;
  /** An item that was given back may count as taken until it is taken again. */
  depth(): Promise<Depth>;
}

export interface Taker<T> {
  /** Waits for the next item. Rejects with the signal's reason when it is aborted first; then it takes nothing. */
  take(signal?: AbortSignal): Promise<Taken<T>>;
  /** The next item, if one is waiting. */
  tryTake(): Promise<Taken<T> | undefined>;
  /** Gives back its items and rejects pending takes with ChannelClosed. May be called more than once. */
  close(): Promise<void>;
}

export interface Taken<T> {
  readonly item: T;
  /** 1 the first time. */
  readonly attempt: number;
  /** Earlier deliveries that were given back as untouched: they were no attempts at the work. */
  readonly untouched: number;
  /** The work is done and the item is removed. Only the first of `acknowledge` and `giveBack` counts. */
  acknowledge(): Promise<void>;
  /** Returns the item to the queue. `untouched`: as if it had not been taken. */
  giveBack(how?: 'untouched'): Promise<void>;
}

export interface Depth {
  readonly waiting: number;
  readonly taken: number;
}

/**
 * The value that was set last. Laws:
 * - A watcher sees the current value, then newer ones; never an older one.
 * - A slow watcher may skip values, but never the last.
 */
export interface Register<T> {
  set(value: T): Promise<void>;
  get(): Promise<T | undefined>;
  watch(signal?: AbortSignal): AsyncIterable<T>;
}

/** Entries in the order in which they were appended. Law: every reader sees all entries from its start on, in the same order. */
export interface Log<T> {
  /** Returns the number of the entry, counted from 0. */
  append(entry: T): Promise<number>;
  /** Existing entries from this number on, then new ones. */
  read(from: number, signal?: AbortSignal): AsyncIterable<Numbered<T>>;
}

export interface Numbered<T> {
  readonly number: number;
  readonly entry: T;
}

/**
 * Events for listeners. Laws:
 * - A publisher never waits for listeners.
 * - A listener gets the events that are published while it listens, in order. When more than `maxUnread` are unread, the oldest are
 *   dropped, and the next event reports how many.
 */
export interface Topic<T> {
  publish(event: T): void;
  listen(options?: { readonly maxUnread?: number; readonly signal?: AbortSignal }): AsyncIterable<Heard<T>>;
}

export interface Heard<T> {
  readonly event: T;
  /** How many events were dropped right before this one. */
  readonly missed: number;
}

/** Creates the channels of one process: its own, or those of another process behind a port. */
export interface ChannelFactory {
  queue<T>(name: string): WorkQueue<T>;
  register<T>(name: string): Register<T>;
  log<T>(name: string): Log<T>;
  /** An event takes the place of one with the same key that still waits to be sent. Without `keyOf`, all events are sent. */
  topic<T>(name: string, keyOf?: (event: T) => string): Topic<T>;
}

/** A call on a channel that has closed. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed';
}

/** The result, or undefined if the channel has closed. For messages that only a run in progress needs. */
export async function unlessClosed<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ChannelClosed) return undefined;
    throw error;
  }
}

export const closedError = (channel: string): ChannelClosed =>
  new ChannelClosed(`The channel '${channel}' is closed: its run has ended.`);
