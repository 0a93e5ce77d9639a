// Several take part in one queue from elsewhere; each may give up, close or break at any moment.

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

/** What somebody's promise comes to does not matter here: what the queue holds in the end does. */
const whatever = (promise: Promise<unknown> | undefined) => void promise?.catch(() => undefined);

/** All that is with somebody, as they see it; and what was with two at a time. */
class Owned {
  readonly #items = new Map<number, Guest>();
  readonly twice: number[] = [];

  add(item: number, guest: Guest): void {
    if (this.#items.has(item)) this.twice.push(item);
    this.#items.set(item, guest);
  }

  letGo(guest: Guest, item?: number): void {
    for (const [each, owner] of this.#items) {
      if (owner === guest && (item === undefined || item === each)) this.#items.delete(each);
    }
  }
}

class Guest {
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
    whatever(
      this.#taker.take(stop.signal).then(taken => {
        this.#owned.add(taken.item, this);
        this.#held.push(taken);
      }),
    );
  }

  /** The item, if there was one. */
  settle(how: 'acknowledge' | 'giveBack'): number | undefined {
    const taken = this.#held.shift();
    if (taken !== undefined) this.#owned.letGo(this, taken.item);
    whatever(taken?.[how]());
    return taken?.item;
  }

  close(): void {
    this.#letGo();
    whatever(this.#taker.close());
    this.#taker = this.#remote.channels.queue.taker();
  }

  act(act: 'abort' | 'hold' | 'release' | 'cut' | 'leave'): void {
    if (act === 'abort') this.#stops.shift()?.abort();
    else if (act === 'hold' || act === 'release') this.#pair.client[act]();
    else {
      this.#letGo();
      this.isGone = true;
      if (act === 'cut') this.#pair.cut();
      else whatever(this.#remote.leave());
    }
  }

  #letGo(): void {
    this.#owned.letGo(this);
    this.#held = [];
  }
}

test('nothing is lost, nothing is with two at a time, and what is left stands in its place', async () => {
  const acts = fc.array(fc.record({ who: fc.nat({ max: 2 }), act: fc.constantFrom(...ACTS) }), {
    maxLength: 80,
  });
  await fc.assert(
    fc.asyncProperty(acts, async list => {
      const queue = new EmbeddedQueue<number>('numbers');
      const owned = new Owned();
      const guests = [0, 1, 2].map(() => new Guest(queue, owned));
      const acknowledged = new Set<number | undefined>();
      let put = 0;
      for (const { who, act } of list) {
        const guest = guests[who];
        if (guest === undefined) continue;
        if (act === 'put') await queue.put(put++);
        else if (act === 'take' || act === 'close') guest[act]();
        else if (act === 'acknowledge') acknowledged.add(guest.settle(act));
        else if (act === 'giveBack') guest.settle(act);
        else if (act === 'turn') await turn();
        else guest.act(act);
        if (guest.isGone) guests[who] = new Guest(queue, owned);
      }
      await turn();
      for (const guest of guests) guest.act('cut');
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
