// A fabric that another process has, with the interface of a local one. It keeps only numbers: the other side keeps every law.

import { unlessAborted } from '../../core/run-together.ts';
import { systemClock } from '../../core/system-clock.ts';
import { Client, PeerEnded, RemoteError } from '../../rpc/client.ts';
import type { Port } from '../../rpc/port.ts';
import {
  ChannelClosed,
  type ChannelFactory,
  type Heard,
  type Log,
  type Numbered,
  type Register,
  type Taken,
  type Taker,
  type Topic,
  type WorkQueue,
} from '../channels.ts';
import { createChannels, type Fabric } from '../fabric.ts';
import type { ChannelCalls, FabricCalls, RemoteTaken } from './messages.ts';

/**
 * `close` leaves: this side gives back what it holds and ends what it reads, and the fabric continues for others. When the port closes by
 * itself, all pending calls reject with ChannelClosed. A `put` may then have been carried out or not.
 */
export function remoteFabric(port: Port): Fabric {
  const connection = new FabricConnection(port);
  return { ...createChannels(connection), close: () => connection.leave() };
}

const LEFT = 'this side has left the fabric';

/** Calls have no deadline of their own: a take waits for as long as the queue is empty. The owner of a process watches its heartbeats. */
export class FabricConnection implements ChannelFactory {
  hasLeft = false;
  readonly client: Client<FabricCalls>;
  #numbers = 0;
  #leaving: Promise<void> | undefined;

  constructor(port: Port) {
    this.client = new Client(port, { peer: 'The connection to the fabric', clock: systemClock });
  }

  queue<T>(name: string): WorkQueue<T> {
    const channel = new RemoteChannel<T>(this, name);
    return {
      put: item => channel.call('put', { item }),
      depth: () => channel.call('depth', {}),
      taker: () => new RemoteTaker(channel),
    };
  }

  register<T>(name: string): Register<T> {
    const channel = new RemoteChannel<T>(this, name);
    return {
      set: value => channel.call('set', { value }),
      get: () => channel.call('get', {}),
      watch: signal => streamed(channel, stream => channel.notify('watch', { stream }), signal),
    };
  }

  log<T>(name: string): Log<T> {
    const channel = new RemoteChannel<T>(this, name);
    const entries = new RemoteChannel<Numbered<T>>(this, name);
    return {
      append: entry => channel.call('append', { entry }),
      read: (from, signal) => streamed(entries, stream => channel.notify('read', { stream, from }), signal),
    };
  }

  topic<T>(name: string): Topic<T> {
    const channel = new RemoteChannel<T>(this, name);
    const events = new RemoteChannel<Heard<T>>(this, name);
    return {
      publish: event => channel.notify('publish', { event }),
      listen: ({ maxUnread, signal } = {}) =>
        streamed(events, stream => channel.notify('listen', { stream, maxUnread }), signal),
    };
  }

  /** A number that is unique on this side. */
  number(): number {
    return ++this.#numbers;
  }

  /**
   * Resolves once everything is given back and every earlier call is answered. Rejects if the other side cannot give something back, and ends
   * this side too. May be called more than once.
   */
  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  async #leave(): Promise<void> {
    this.hasLeft = true;
    try {
      await this.client.call('leave', undefined);
      await this.client.idle();
    } catch (error) {
      // Without a connection nothing is held: everything went back when it closed.
      if (!(error instanceof PeerEnded)) throw error;
    } finally {
      this.client.close(new PeerEnded(`${LEFT}.`));
    }
  }
}

/** The calls of one channel of values T. */
class RemoteChannel<T> {
  readonly name: string;
  readonly connection: FabricConnection;

  constructor(connection: FabricConnection, name: string) {
    this.connection = connection;
    this.name = name;
  }

  async call<M extends keyof ChannelCalls<T>>(
    method: M,
    params: Omit<ChannelCalls<T>[M]['takes'], 'channel'>,
  ): Promise<ChannelCalls<T>[M]['gives']> {
    const { client, hasLeft } = this.connection;
    const what = `'${this.name}.${method}' has no answer`;
    if (hasLeft) throw new ChannelClosed(`${what}: ${LEFT}.`);
    try {
      return (await client.call(method, { ...params, channel: this.name } as never)) as never;
    } catch (error) {
      if (error instanceof PeerEnded)
        throw new ChannelClosed(`${what}, and may have been carried out: ${error.message}`);
      if (error instanceof RemoteError && error.name === 'ChannelClosed')
        throw new ChannelClosed(error.message);
      throw error;
    }
  }

  notify<M extends keyof ChannelCalls<T>>(
    method: M,
    params: Omit<ChannelCalls<T>[M]['takes'], 'channel'>,
  ): void {
    const { client, hasLeft } = this.connection;
    if (!hasLeft) client.notify(method, { ...params, channel: this.name });
  }
}

class RemoteTaker<T> implements Taker<T> {
  readonly #channel: RemoteChannel<T>;
  readonly #taker: number;
  #isClosed = false;

  constructor(channel: RemoteChannel<T>) {
    this.#channel = channel;
    this.#taker = channel.connection.number();
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
    const key = { taker: this.#taker, take: channel.connection.number() };
    const result = channel.call(method, key as never);
    const abandon = () => channel.notify('giveBack', { ...key, how: 'untouched' });
    const fetched = await unlessAborted(result, signal, abandon);
    if (!this.#isClosed && !channel.connection.hasLeft) return fetched;
    throw new ChannelClosed(`A taker of the channel '${channel.name}' was closed while it waited or took.`);
  }

  #taken({ take, ...taken }: RemoteTaken<T>): Taken<T> {
    const key = { taker: this.#taker, take };
    return {
      ...taken,
      acknowledge: () => this.#channel.call('acknowledge', key),
      giveBack: how => this.#channel.call('giveBack', { ...key, how }),
    };
  }
}

/** Opens the stream now, not when the first value is requested: a topic's listener hears everything from here on. */
function streamed<T>(
  channel: RemoteChannel<T>,
  open: (stream: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const stream = channel.connection.number();
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
    while (!signal?.aborted && !channel.connection.hasLeft) {
      const next = await channel.call('next', { stream });
      if (next.done || signal?.aborted) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
