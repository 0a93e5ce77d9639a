// A fabric that another process holds, as if it were here. It keeps nothing but numbers: every law is kept on the other side.

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
import { Asker, type Asks } from './asker.ts';
import type { Calls, Handed } from './messages.ts';
import type { Port } from './port.ts';

/**
 * Its `close` leaves: what is held here is given back, what is read here ends, and the fabric goes on for others. When the port
 * closes by itself, all that waits for an answer rejects with ChannelClosed; a `put` then may or may not have been done.
 */
export function remoteFabric(port: Port): Fabric {
  const { channels, leave } = remoteChannels<FabricChannels>(port, KINDS);
  return { ...channels, close: leave };
}

export function remoteChannels<C extends Readonly<Record<string, Channel>>>(
  port: Port,
  kinds: Kinds<C>,
): { readonly channels: C; leave(): Promise<void> } {
  const asker = new Asker(port);
  const made = Object.entries<keyof typeof MADE>(kinds).map(([name, kind]) => [
    name,
    MADE[kind](asker, name),
  ]);
  // The table says of each name what its type says, or it would not compile.
  return { channels: Object.fromEntries(made) as C, leave: () => asker.leave() };
}

const MADE = {
  queue: <T>(asker: Asker, name: string): WorkQueue<T> => {
    const asks = asker.of<T>(name);
    return {
      put: item => asks.ask('put', { item }),
      depth: () => asks.ask('depth', {}),
      taker: () => new RemoteTaker(asks),
    };
  },
  register: <T>(asker: Asker, name: string): Register<T> => {
    const asks = asker.of<T>(name);
    return {
      set: value => asks.ask('set', { value }),
      get: () => asks.ask('get', {}),
      watch: signal => streamed(asks, stream => asks.tell('watch', { stream }), signal),
    };
  },
  log: <T>(asker: Asker, name: string): Log<T> => {
    const [asks, reads] = [asker.of<T>(name), asker.of<Numbered<T>>(name)];
    return {
      append: entry => asks.ask('append', { entry }),
      read: (from, signal) => streamed(reads, stream => reads.tell('read', { stream, from }), signal),
    };
  },
  topic: <T>(asker: Asker, name: string): Topic<T> => {
    const [asks, hears] = [asker.of<T>(name), asker.of<Heard<T>>(name)];
    return {
      publish: event => asks.tell('publish', { event }),
      listen: ({ most, signal } = {}) =>
        streamed(hears, stream => hears.tell('listen', { stream, most }), signal),
    };
  },
};

class RemoteTaker<T> implements Taker<T> {
  readonly #asks: Asks<T>;
  readonly #taker: number;
  #isClosed = false;

  constructor(asks: Asks<T>) {
    this.#asks = asks;
    this.#taker = asks.number();
    asks.tell('taker', { taker: this.#taker });
  }

  async take(signal?: AbortSignal): Promise<Taken<T>> {
    signal?.throwIfAborted();
    return this.#taken(await this.#handed('take', signal));
  }

  async tryTake(): Promise<Taken<T> | undefined> {
    const handed = await this.#handed('tryTake');
    return handed && this.#taken(handed);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#asks.ask('close', { taker: this.#taker }).catch(error => {
      // Without a connection nothing is held any more: all of it went back when the connection closed.
      if (!(error instanceof ChannelClosed)) throw error;
    });
  }

  /** An item that is on its way here when nobody waits for it any more is back in its place; its arrival means nothing. */
  async #handed<C extends 'take' | 'tryTake'>(call: C, signal?: AbortSignal): Promise<Calls<T>[C]['gives']> {
    const { channel, number, hasLeft, ask, tell } = this.#asks;
    const which = { taker: this.#taker, take: number() };
    const handed = await unless(ask(call, which), signal, () => tell('giveBack', which));
    if (!this.#isClosed && !hasLeft()) return handed;
    throw new ChannelClosed(`A taker of the channel '${channel}' was closed while it waited or took.`);
  }

  #taken({ take, item, attempt }: Handed<T>): Taken<T> {
    const which = { taker: this.#taker, take };
    return {
      item,
      attempt,
      acknowledge: () => this.#asks.ask('acknowledge', which),
      giveBack: () => this.#asks.ask('giveBack', which),
    };
  }
}

/** What a promise comes to, unless the signal is aborted first. */
function unless<T>(promise: Promise<T>, signal: AbortSignal | undefined, aborted: () => void): Promise<T> {
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

/** Opened by this call, and not only when the first value is asked for: a topic's listener hears from here on. */
function streamed<T>(asks: Asks<T>, open: (stream: number) => void, signal: AbortSignal | undefined) {
  const stream = asks.number();
  open(stream);
  const stop = () => asks.tell('stop', { stream });
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return values(asks, stream, stop, signal);
}

async function* values<T>(
  asks: Asks<T>,
  stream: number,
  stop: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  try {
    while (!signal?.aborted && !asks.hasLeft()) {
      const next = await asks.ask('next', { stream });
      if (next.done || signal?.aborted) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
