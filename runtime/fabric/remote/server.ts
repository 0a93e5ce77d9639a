// Does to the channels of this process what the other side of a port asks. It keeps who has opened what, so that all of it is
// given back when the other side goes; every law is kept by the channels themselves.

import { ChannelClosed, type Log, type Register, type Topic, type WorkQueue } from '../channels.ts';
import type { Fabric } from '../fabric.ts';
import type { Channel } from '../kinds.ts';
import { GuestTaker } from './guest-taker.ts';
import type { CallName, Calls, Request, ToClient, ToServer } from './messages.ts';
import type { Port } from './port.ts';

/** When the port closes, all that its takers hold is given back at once. The fabric's `close` stays with who made it. */
export function serveFabric({ close: _, ...channels }: Fabric, port: Port): void {
  serveChannels(channels, port);
}

export function serveChannels(channels: Channels, port: Port): void {
  const guest = new Guest(channels, port);
  port.receive(message => void guest.hear(message as ToServer));
  port.closed(() => void guest.leave());
}

type Channels = Readonly<Record<string, Channel>>;

interface Stream {
  readonly values: AsyncIterator<unknown>;
  readonly ended: AbortController;
}

type Handlers = {
  readonly [C in CallName]: (
    takes: Calls<unknown>[C]['takes'],
    channel: string,
  ) => Promise<Calls<unknown>[C]['gives']>;
};

/** Who asks through one port, with what it has opened. */
class Guest {
  readonly #channels: Channels;
  readonly #port: Pick<Port, 'send'>;
  readonly #takers = new Map<number, GuestTaker>();
  readonly #streams = new Map<number, Stream>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(channels: Channels, port: Pick<Port, 'send'>) {
    this.#channels = channels;
    this.#port = port;
  }

  /** Begins at once with what it is asked: what is asked later is done later. */
  async hear(message: ToServer): Promise<void> {
    if (message.kind === 'leave') {
      await this.leave();
      await Promise.all(this.#underWay);
      this.#say({ kind: 'left' });
      return;
    }
    const answered = this.#answer(message);
    this.#underWay.add(answered);
    await answered;
    this.#underWay.delete(answered);
  }

  async leave(): Promise<void> {
    const [takers, streams] = [[...this.#takers.values()], [...this.#streams.keys()]];
    this.#takers.clear();
    await Promise.all([...takers.map(taker => taker.close()), ...streams.map(stream => this.#stop(stream))]);
  }

  async #answer<C extends CallName>({ kind, id, channel, call, takes }: Request<C>): Promise<void> {
    // Of what was only told, the other side hears when it asks for more.
    const fails = (error: unknown) => {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      this.#say({ kind: 'fails', id, name, message });
    };
    try {
      const gives = await this.#handlers[call](takes, channel);
      if (kind === 'ask') this.#say({ kind: 'gives', id, gives }, fails);
    } catch (error) {
      fails(error);
    }
  }

  #say(message: ToClient, refused?: (error: unknown) => void): void {
    this.#port.send(message, refused);
  }

  readonly #handlers: Handlers = {
    put: ({ item }, channel) => this.#queue(channel).put(item),
    depth: (_, channel) => this.#queue(channel).depth(),
    taker: async ({ taker }, channel) => {
      this.#takers.set(taker, new GuestTaker(this.#queue(channel).taker()));
    },
    take: ({ taker, take }, channel) => this.#taker(taker, channel).take(take),
    tryTake: ({ taker, take }, channel) => this.#taker(taker, channel).tryTake(take),
    acknowledge: async ({ taker, take }) => this.#takers.get(taker)?.acknowledge(take),
    giveBack: async ({ taker, take }) => this.#takers.get(taker)?.giveBack(take),
    close: async ({ taker }) => {
      const open = this.#takers.get(taker);
      this.#takers.delete(taker);
      await open?.close();
    },

    set: ({ value }, channel) => this.#register(channel).set(value),
    get: (_, channel) => this.#register(channel).get(),
    append: ({ entry }, channel) => this.#log(channel).append(entry),
    publish: async ({ event }, channel) => this.#topic(channel).publish(event),

    watch: async ({ stream }, channel) => this.#open(stream, signal => this.#register(channel).watch(signal)),
    read: async ({ stream, from }, channel) =>
      this.#open(stream, signal => this.#log(channel).read(from, signal)),
    listen: async ({ stream, most }, channel) =>
      this.#open(stream, signal =>
        this.#topic(channel).listen({ signal, ...(most !== undefined && { most }) }),
      ),
    next: async ({ stream }, channel) => {
      const values = this.#streams.get(stream)?.values;
      if (values === undefined) throw new ChannelClosed(`This reader of the channel '${channel}' has ended.`);
      const { done, value } = await values.next();
      if (done !== true) return { done: false, value };
      this.#streams.delete(stream);
      return { done: true };
    },
    stop: ({ stream }) => this.#stop(stream),
  };

  #open(stream: number, begin: (signal: AbortSignal) => AsyncIterable<unknown>): void {
    const ended = new AbortController();
    this.#streams.set(stream, { values: begin(ended.signal)[Symbol.asyncIterator](), ended });
  }

  /** The signal reaches one that waits for a value; one that does not is told to return. */
  async #stop(stream: number): Promise<void> {
    const open = this.#streams.get(stream);
    this.#streams.delete(stream);
    open?.ended.abort();
    await open?.values.return?.();
  }

  #taker(taker: number, channel: string): GuestTaker {
    const open = this.#takers.get(taker);
    if (open === undefined) throw new ChannelClosed(`This taker of the channel '${channel}' is closed.`);
    return open;
  }

  #queue(name: string): WorkQueue<unknown> {
    const channel = this.#channels[name];
    if (channel === undefined || !('taker' in channel)) throw noSuch('work queue', name);
    return channel;
  }

  #register(name: string): Register<unknown> {
    const channel = this.#channels[name];
    if (channel === undefined || !('watch' in channel)) throw noSuch('register', name);
    return channel;
  }

  #log(name: string): Log<unknown> {
    const channel = this.#channels[name];
    if (channel === undefined || !('append' in channel)) throw noSuch('log', name);
    return channel;
  }

  #topic(name: string): Topic<unknown> {
    const channel = this.#channels[name];
    if (channel === undefined || !('publish' in channel)) throw noSuch('topic', name);
    return channel;
  }
}

const noSuch = (kind: string, name: string): RangeError =>
  new RangeError(`The fabric has no ${kind} '${name}': both processes must run the same build.`);
