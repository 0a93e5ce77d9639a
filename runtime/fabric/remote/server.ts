// Serves the channels of this process to the client behind a port. It records what the client has opened, so that everything is given
// back when the client ends. The channels themselves keep every law.

import type { Port } from '../../rpc/port.ts';
import { type Handlers, serve } from '../../rpc/server.ts';
import {
  ChannelClosed,
  type Log,
  type Register,
  type Taken,
  type Taker,
  type Topic,
  type WorkQueue,
} from '../channels.ts';
import type { Fabric } from '../fabric.ts';
import type { FabricCalls, NextValue, RemoteTaken } from './messages.ts';

/**
 * When the port closes, everything that its takers hold is given back at once. If the broker is away, an item returns when its lease ends. The
 * owner of the fabric closes it.
 */
export function serveFabric({ close: _, ...channels }: Fabric, port: Port): void {
  serveChannels(channels, port);
}

export function serveChannels(channels: Channels, port: Port): void {
  const session = new Session(channels);
  serve(port, session.handlers);
  port.closed(() => {
    // The owner of the channels reports that they are closed.
    session.leave().catch(() => undefined);
  });
}

type Channel = WorkQueue<unknown> | Register<unknown> | Log<unknown> | Topic<unknown>;
type Channels = Readonly<Record<string, Channel>>;

interface Stream {
  readonly values: AsyncIterator<unknown>;
  readonly stop: AbortController;
}

/** The takers and streams that one client has opened. */
class Session {
  readonly #channels: Channels;
  readonly #takers = new Map<number, ServedTaker>();
  readonly #streams = new Map<number, Stream>();

  constructor(channels: Channels) {
    this.#channels = channels;
  }

  async leave(): Promise<undefined> {
    const [takers, streams] = [[...this.#takers.values()], [...this.#streams.keys()]];
    this.#takers.clear();
    await Promise.all([...takers.map(taker => taker.close()), ...streams.map(stream => this.#stop(stream))]);
    return undefined;
  }

  readonly handlers: Handlers<FabricCalls> = {
    put: async ({ channel, item }) => this.#queue(channel).put(item),
    depth: async ({ channel }) => this.#queue(channel).depth(),
    taker: async ({ channel, taker }) => {
      this.#takers.set(taker, new ServedTaker(this.#queue(channel).taker()));
    },
    take: async ({ channel, taker, take }) => this.#taker(taker, channel).take(take),
    tryTake: async ({ channel, taker, take }) => this.#taker(taker, channel).tryTake(take),
    acknowledge: async ({ taker, take }) => this.#takers.get(taker)?.acknowledge(take),
    giveBack: async ({ taker, take, how }) => this.#takers.get(taker)?.giveBack(take, how),
    closeTaker: async ({ taker }) => {
      const open = this.#takers.get(taker);
      this.#takers.delete(taker);
      await open?.close();
    },

    set: async ({ channel, value }) => this.#register(channel).set(value),
    get: async ({ channel }) => this.#register(channel).get(),
    append: async ({ channel, entry }) => this.#log(channel).append(entry),
    publish: async ({ channel, event }) => this.#topic(channel).publish(event),

    watch: async ({ channel, stream }) => this.#open(stream, signal => this.#register(channel).watch(signal)),
    read: async ({ channel, stream, from }) =>
      this.#open(stream, signal => this.#log(channel).read(from, signal)),
    listen: async ({ channel, stream, maxUnread }) =>
      this.#open(stream, signal =>
        this.#topic(channel).listen({ signal, ...(maxUnread !== undefined && { maxUnread }) }),
      ),
    next: ({ channel, stream }) => this.#next(stream, channel),
    stop: ({ stream }) => this.#stop(stream),
    leave: () => this.leave(),
  };

  async #next(stream: number, channel: string): Promise<NextValue<unknown>> {
    const values = this.#streams.get(stream)?.values;
    if (values === undefined) throw new ChannelClosed(`This reader of the channel '${channel}' has ended.`);
    const { done, value } = await values.next();
    if (done !== true) return { done: false, value };
    this.#streams.delete(stream);
    return { done: true };
  }

  #open(stream: number, begin: (signal: AbortSignal) => AsyncIterable<unknown>): void {
    const stop = new AbortController();
    this.#streams.set(stream, { values: begin(stop.signal)[Symbol.asyncIterator](), stop });
  }

  /** The signal reaches a reader that waits for a value; `return` ends any other. */
  async #stop(stream: number): Promise<void> {
    const open = this.#streams.get(stream);
    this.#streams.delete(stream);
    open?.stop.abort();
    await open?.values.return?.();
  }

  #taker(taker: number, channel: string): ServedTaker {
    const open = this.#takers.get(taker);
    if (open === undefined) throw new ChannelClosed(`This taker of the channel '${channel}' is closed.`);
    return open;
  }

  #queue(name: string): WorkQueue<unknown> {
    return this.#channel(name, 'work queue', channel => ('taker' in channel ? channel : undefined));
  }

  #register(name: string): Register<unknown> {
    return this.#channel(name, 'register', channel => ('watch' in channel ? channel : undefined));
  }

  #log(name: string): Log<unknown> {
    return this.#channel(name, 'log', channel => ('append' in channel ? channel : undefined));
  }

  #topic(name: string): Topic<unknown> {
    return this.#channel(name, 'topic', channel => ('publish' in channel ? channel : undefined));
  }

  #channel<C>(name: string, kind: string, narrow: (channel: Channel) => C | undefined): C {
    const channel = this.#channels[name];
    const found = channel && narrow(channel);
    if (found !== undefined) return found;
    throw new RangeError(`The fabric has no ${kind} '${name}'. Both processes must run the same build.`);
  }
}

/** A taker for the client, which knows its takes by numbers. */
class ServedTaker {
  readonly #taker: Taker<unknown>;
  readonly #waiting = new Map<number, AbortController>();
  readonly #taken = new Map<number, Taken<unknown>>();

  constructor(taker: Taker<unknown>) {
    this.#taker = taker;
  }

  async take(number: number): Promise<RemoteTaken<unknown>> {
    const abandoned = new AbortController();
    this.#waiting.set(number, abandoned);
    try {
      const taken = await this.#taker.take(abandoned.signal);
      if (!abandoned.signal.aborted) return this.#add(number, taken);
      await taken.giveBack('untouched');
      throw abandoned.signal.reason;
    } finally {
      this.#waiting.delete(number);
    }
  }

  async tryTake(number: number): Promise<RemoteTaken<unknown> | undefined> {
    const taken = await this.#taker.tryTake();
    return taken && this.#add(number, taken);
  }

  async acknowledge(number: number): Promise<void> {
    await this.#remove(number)?.acknowledge();
  }

  async giveBack(number: number, how: 'untouched' | undefined): Promise<void> {
    this.#waiting.get(number)?.abort();
    await this.#remove(number)?.giveBack(how);
  }

  close(): Promise<void> {
    return this.#taker.close();
  }

  #add(number: number, taken: Taken<unknown>): RemoteTaken<unknown> {
    this.#taken.set(number, taken);
    const { item, attempt, untouched } = taken;
    return { take: number, item, attempt, untouched };
  }

  #remove(number: number): Taken<unknown> | undefined {
    const taken = this.#taken.get(number);
    this.#taken.delete(number);
    return taken;
  }
}
