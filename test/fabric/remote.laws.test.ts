// Several remote takers of one queue; each may abort, close or lose its connection at any moment.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Taken } from '../../runtime/fabric/channels.ts';
import { EmbeddedQueue } from '../../runtime/fabric/embedded/queue.ts';
import { serveChannels } from '../../runtime/fabric/remote/server.ts';
import { embeddedChannels, remoteChannels } from './channels.ts';
import { MemoryPort } from './ports.ts';

const ACTS = [
  'put',
  'take',
  'abort',
  'acknowledge',
  'giveBack',
  'hold',
  'release',
  'close',
  'cut',
  'leave',
  'turn',
] as const;

const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/** The results of single calls do not matter here, only the final state of the queue. */
const ignoreResult = (promise: Promise<unknown> | undefined) => void promise?.catch(() => undefined);

/** The owner of each taken item, and the items that had two owners at a time. */
class Owned {
  readonly #items = new Map<number, Client>();
  readonly twice: number[] = [];

  add(item: number, client: Client): void {
    if (this.#items.has(item)) this.twice.push(item);
    this.#items.set(item, client);
  }

  release(client: Client, item?: number): void {
    for (const [each, owner] of this.#items) {
      if (owner === client && (item === undefined || item === each)) this.#items.delete(each);
    }
  }
}

class Client {
  readonly #owned: Owned;
  readonly #pair = MemoryPort.pair();
  readonly #remote;
  readonly #stops: AbortController[] = [];
  #taker;
  #held: Taken<number>[] = [];
  isGone = false;

  constructor(queue: EmbeddedQueue<number>, owned: Owned) {
    this.#owned = owned;
    serveChannels({ ...embeddedChannels(), queue }, this.#pair.server);
    this.#remote = remoteChannels(this.#pair.client);
    this.#taker = this.#remote.channels.queue.taker();
  }

  take(): void {
    const stop = new AbortController();
    this.#stops.push(stop);
    ignoreResult(
      this.#taker.take(stop.signal).then(taken => {
        this.#owned.add(taken.item, this);
        this.#held.push(taken);
      }),
    );
  }

  /** The item, if there was one. */
  settle(how: 'acknowledge' | 'giveBack'): number | undefined {
    const taken = this.#held.shift();
    if (taken !== undefined) this.#owned.release(this, taken.item);
    ignoreResult(taken?.[how]());
    return taken?.item;
  }

  close(): void {
    this.#release();
    ignoreResult(this.#taker.close());
    this.#taker = this.#remote.channels.queue.taker();
  }

  act(act: 'abort' | 'hold' | 'release' | 'cut' | 'leave'): void {
    if (act === 'abort') this.#stops.shift()?.abort();
    else if (act === 'hold' || act === 'release') this.#pair.client[act]();
    else {
      this.#release();
      this.isGone = true;
      if (act === 'cut') this.#pair.cut();
      else ignoreResult(this.#remote.leave());
    }
  }

  #release(): void {
    this.#owned.release(this);
    this.#held = [];
  }
}

test('no item is lost or taken twice, and the remaining items keep their order', async () => {
  const acts = fc.array(fc.record({ who: fc.nat({ max: 2 }), act: fc.constantFrom(...ACTS) }), {
    maxLength: 80,
  });
  await fc.assert(
    fc.asyncProperty(acts, async list => {
      const queue = new EmbeddedQueue<number>('numbers');
      const owned = new Owned();
      const clients = [0, 1, 2].map(() => new Client(queue, owned));
      const acknowledged = new Set<number | undefined>();
      let put = 0;
      for (const { who, act } of list) {
        const client = clients[who];
        if (client === undefined) continue;
        if (act === 'put') await queue.put(put++);
        else if (act === 'take' || act === 'close') client[act]();
        else if (act === 'acknowledge') acknowledged.add(client.settle(act));
        else if (act === 'giveBack') client.settle(act);
        else if (act === 'turn') await turn();
        else client.act(act);
        if (client.isGone) clients[who] = new Client(queue, owned);
      }
      await turn();
      for (const client of clients) client.act('cut');
      await turn();
      expect(owned.twice).toEqual([]);
      const { waiting, taken } = await queue.depth();
      expect(taken).toBe(0);
      const last = queue.taker();
      const rest: number[] = [];
      for (let index = 0; index < waiting; index++) rest.push((await last.take()).item);
      expect(rest).toEqual(rest.toSorted((a, b) => a - b));
      const all = Array.from({ length: put }, (_, item) => item);
      expect(all.filter(item => !acknowledged.has(item) && !rest.includes(item))).toEqual([]);
      expect(new Set(rest).size).toBe(rest.length);
    }),
    { numRuns: 300 },
  );
});
