// A fabric that another process has, with the interface of a local one. It keeps only numbers: the other side keeps every law.

import { systemClock } from '../../core/system-clock.ts';
import { Client, PeerEnded, RemoteError } from '../../rpc/client.ts';
import type { Port } from '../../rpc/port.ts';
import {
  ChannelClosed,
  type Heard,
  type Log,
  type Numbered,
  type Register,
  type Taken,
  type Taker,
  type Topic,
  type WorkQueue,
} from '../channels.ts';
import type { Fabric } from '../fabric.ts';
import { type Channel, type FabricChannels, KINDS, type Kinds } from '../kinds.ts';
import type { ChannelCalls, FabricCalls, RemoteTaken } from './messages.ts';

/**
 * `close` leaves: this side gives back what it holds and ends what it reads, and the fabric continues for others. When the port closes by
 * itself, all pending calls reject with ChannelClosed. A `put` may then have been carried out or not.
 */
export function remoteFabric(port: Port): Fabric {
  const { channels, leave } = remoteChannels<FabricChannels>(port, KINDS);
  return { ...channels, close: leave };
}

export function remoteChannels<C extends Readonly<Record<string, Channel>>>(
  port: Port,
  kinds: Kinds<C>,
): { readonly channels: C; leave(): Promise<void> } {
  const connection = new FabricConnection(port);
  const created = Object.entries<keyof typeof CREATE>(kinds).map(([name, kind]) => [
    name,
    CREATE[kind](new RemoteChannel(connection, name)),
  ]);
  // The table maps each name to the kind of its type, or it would not compile.
  return { channels: Object.fromEntries(created) as C, leave: () => connection.leave() };
}

const LEFT = 'this side has left the fabric';

/** Calls have no deadline of their own: a take waits for as long as the queue is empty. The owner of a process watches its heartbeats. */
class FabricConnection {
  hasLeft = false;
  readonly #client: Client<FabricCalls>;
  #numbers = 0;
  #leaving: Promise<void> | undefined;

  constructor(port: Port) {
    this.#client = new Client(port, { peer: 'The connection to the fabric', clock: systemClock });
  }

  /** A number that is unique on this side. */
  number(): number {
    return ++this.#numbers;
  }

  async call<M extends keyof ChannelCalls<unknown>>(
    method: M,
    params: ChannelCalls<unknown>[M]['takes'],
  ): Promise<ChannelCalls<unknown>[M]['gives']> {
    const what = `'${params.channel}.${method}' has no answer`;
    if (this.hasLeft) throw new ChannelClosed(`${what}: ${LEFT}.`);
    try {
      return await this.#client.call(method, params);
    } catch (error) {
      if (error instanceof PeerEnded)
        throw new ChannelClosed(`${what}, and may have been carried out: ${error.message}`);
      if (error instanceof RemoteError && error.name === 'ChannelClosed')
        throw new ChannelClosed(error.message);
      throw error;
    }
  }

  notify<M extends keyof ChannelCalls<unknown>>(method: M, params: ChannelCalls<unknown>[M]['takes']): void {
    if (!this.hasLeft) this.#client.notify(method, params);
  }

  /** Resolves once everything is given back and every earlier call is answered. May be called more than once. */
  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  async #leave(): Promise<void> {
    this.hasLeft = true;
    try {
      await this.#client.call('leave', undefined);
      await this.#client.idle();
    } catch (error) {
      // Without a connection nothing is held: everything went back when it closed.
      if (!(error instanceof PeerEnded)) throw error;
    }
    this.#client.close(new PeerEnded(`${LEFT}.`));
  }
}

/** One channel of values T behind a connection. */
class RemoteChannel<T> {
  readonly name: string;
  readonly #connection: FabricConnection;

  constructor(connection: FabricConnection, name: string) {
    this.#connection = connection;
    this.name = name;
  }

  get hasLeft(): boolean {
    return this.#connection.hasLeft;
  }

  number(): number {
    return this.#connection.number();
  }

  call<M extends keyof ChannelCalls<T>>(
    method: M,
    params: Omit<ChannelCalls<T>[M]['takes'], 'channel'>,
  ): Promise<ChannelCalls<T>[M]['gives']> {
    return this.#connection.call(method, { ...params, channel: this.name } as never) as Promise<never>;
  }

  notify<M extends keyof ChannelCalls<T>>(
    method: M,
    params: Omit<ChannelCalls<T>[M]['takes'], 'channel'>,
  ): void {
    this.#connection.notify(method, { ...params, channel: this.name } as never);
  }
}

const CREATE = {
  queue: <T>(channel: RemoteChannel<T>): WorkQueue<T> => ({
    put: item => channel.call('put', { item }),
    depth: () => channel.call('depth', {}),
    taker: () => new RemoteTaker(channel),
  }),
  register: <T>(channel: RemoteChannel<T>): Register<T> => ({
    set: value => channel.call('set', { value }),
    get: () => channel.call('get', {}),
    watch: signal => streamed(channel, stream => channel.notify('watch', { stream }), signal),
  }),
  log: <T>(channel: RemoteChannel<T>): Log<T> => {
    const entries = channel as RemoteChannel<unknown> as RemoteChannel<Numbered<T>>;
    return {
      append: entry => channel.call('append', { entry }),
      read: (from, signal) => streamed(entries, stream => entries.notify('read', { stream, from }), signal),
    };
  },
  topic: <T>(channel: RemoteChannel<T>): Topic<T> => {
    const events = channel as RemoteChannel<unknown> as RemoteChannel<Heard<T>>;
    return {
      publish: event => channel.notify('publish', { event }),
      listen: ({ most, signal } = {}) =>
        streamed(events, stream => events.notify('listen', { stream, most }), signal),
    };
  },
};

class RemoteTaker<T> implements Taker<T> {
  readonly #channel: RemoteChannel<T>;
  readonly #taker: number;
  #isClosed = false;

  constructor(channel: RemoteChannel<T>) {
    this.#channel = channel;
    this.#taker = channel.number();
    channel.notify('taker', { taker: this.#taker });
  }

  async take(signal?: AbortSignal): Promise<Taken<T>> {
    signal?.throwIfAborted();
    return this.#taken(await this.#fetch('take', signal));
  }

  async tryTake(): Promise<Taken<T> | undefined> {
    const fetched = await this.#fetch('tryTake');
    return fetched && this.#taken(fetched);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await this.#channel.call('closeTaker', { taker: this.#taker });
    } catch (error) {
      // Without a connection nothing is held: everything went back when it closed.
      if (!(error instanceof ChannelClosed)) throw error;
    }
  }

  /** An item that arrives after its take was aborted is back in its place already; its arrival is ignored. */
  async #fetch<M extends 'take' | 'tryTake'>(
    method: M,
    signal?: AbortSignal,
  ): Promise<ChannelCalls<T>[M]['gives']> {
    const channel = this.#channel;
    const key = { taker: this.#taker, take: channel.number() };
    const result = channel.call(method, key as never);
    const fetched = await unlessAborted(result, signal, () => channel.notify('giveBack', key));
    if (!this.#isClosed && !channel.hasLeft) return fetched;
    throw new ChannelClosed(`A taker of the channel '${channel.name}' was closed while it waited or took.`);
  }

  #taken({ take, item, attempt }: RemoteTaken<T>): Taken<T> {
    const key = { taker: this.#taker, take };
    return {
      item,
      attempt,
      acknowledge: () => this.#channel.call('acknowledge', key),
      giveBack: () => this.#channel.call('giveBack', key),
    };
  }
}

/** Settles like the promise, unless the signal is aborted first. */
function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  aborted: () => void,
): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => {
      aborted();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Opens the stream now, not when the first value is requested: a topic's listener hears everything from here on. */
function streamed<T>(
  channel: RemoteChannel<T>,
  open: (stream: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const stream = channel.number();
  open(stream);
  const stop = () => channel.notify('stop', { stream });
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return values(channel, stream, stop, signal);
}

async function* values<T>(
  channel: RemoteChannel<T>,
  stream: number,
  stop: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  try {
    while (!signal?.aborted && !channel.hasLeft) {
      const next = await channel.call('next', { stream });
      if (next.done || signal?.aborted) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
