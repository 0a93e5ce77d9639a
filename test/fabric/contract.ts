// The laws of the channels as a suite for every implementation. channels.ts states the laws.

import { describe, expect, onTestFinished, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import {
  ChannelClosed,
  type Log,
  type Register,
  type Taken,
  type Topic,
  type WorkQueue,
} from '../../runtime/fabric/channels.ts';

export interface Channels {
  readonly queue: WorkQueue<number>;
  readonly register: Register<number>;
  readonly log: Log<string>;
  readonly topic: Topic<number>;
  /** As at the end of a run. */
  close(): Promise<void>;
}

/** `make` gives new, empty channels each time. */
export function channelLaws(name: string, make: () => Promise<Channels>): void {
  const opened = async (): Promise<Channels> => {
    const channels = await make();
    onTestFinished(() => channels.close());
    return channels;
  };
  queueLaws(name, make);
  describe(`${name}: register`, () => registerLaws(opened));
  describe(`${name}: log`, () => logLaws(opened));
  describe(`${name}: topic`, () => topicLaws(opened));
}

type Opened = () => Promise<Channels>;

export function queueLaws(name: string, make: () => Promise<Pick<Channels, 'queue' | 'close'>>): void {
  describe(`${name}: work queue`, () =>
    lawsOfQueue(async () => {
      const made = await make();
      onTestFinished(() => made.close());
      return made;
    }));
}

/** The next values of a stream that may never end. */
async function first<T>(count: number, of: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of of) {
    if (found.push(each) === count) break;
  }
  return found;
}

const begun = <T>(of: AsyncIterable<T>): AsyncIterator<T> => of[Symbol.asyncIterator]();

function lawsOfQueue(opened: () => Promise<Pick<Channels, 'queue' | 'close'>>): void {
  const filled = async (count: number) => {
    const { queue, close } = await opened();
    for (let item = 0; item < count; item++) await queue.put(item);
    return { queue, close };
  };
  const taken = async (queue: WorkQueue<number>, count: number) => {
    const taker = queue.taker();
    const held: Taken<number>[] = [];
    for (let index = 0; index < count; index++) held.push(await taker.take());
    return { taker, held, items: held.map(({ item }) => item) };
  };

  test('items leave first in, first out, each to one taker', async () => {
    const { queue } = await filled(4);
    const [one, other] = [await taken(queue, 2), await taken(queue, 2)];
    expect([...one.items, ...other.items]).toEqual([0, 1, 2, 3]);
    expect(await queue.taker().tryTake()).toBeUndefined();
  });

  /** An item that was given back may count as taken until it is taken again. */
  const left = async (queue: WorkQueue<number>) => {
    const { waiting, taken } = await queue.depth();
    return waiting + taken;
  };

  test('depth counts waiting and taken items, without acknowledged ones', async () => {
    const { queue } = await filled(3);
    const { held } = await taken(queue, 2);
    expect(await queue.depth()).toEqual({ waiting: 1, taken: 2 });
    await held[0]?.acknowledge();
    expect(await queue.depth()).toEqual({ waiting: 1, taken: 1 });
    await held[1]?.giveBack();
    expect(await left(queue)).toBe(2);
  });

  test('returned items leave before items that were never taken, and count their deliveries', async () => {
    const { queue } = await filled(4);
    const { held } = await taken(queue, 3);
    await held[2]?.giveBack();
    await held[0]?.giveBack();
    const again = await taken(queue, 3);
    expect([again.items.slice(0, 2).sort(), again.items[2]]).toEqual([[0, 2], 3]);
    expect(again.held.map(({ attempt }) => attempt)).toEqual([2, 2, 1]);
  });

  test('items that were given back as untouched count these deliveries', async () => {
    const { queue } = await filled(1);
    const taker = queue.taker();
    for (const how of ['untouched', undefined, 'untouched'] as const)
      await (await taker.take()).giveBack(how);
    expect(await taker.take()).toMatchObject({ attempt: 4, untouched: 2 });
  });

  test('a taker that closes gives back its items', async () => {
    const { queue } = await filled(3);
    const { taker, held } = await taken(queue, 3);
    await held[1]?.acknowledge();
    await taker.close();
    await taker.close();
    expect((await taken(queue, 2)).items.sort()).toEqual([0, 2]);
  });

  test('an item that was given back and taken again does not return by the earlier handle', async () => {
    const { queue } = await filled(1);
    const { taker, held } = await taken(queue, 1);
    await held[0]?.giveBack();
    const again = await taker.take();
    await held[0]?.giveBack();
    await held[0]?.acknowledge();
    expect(await queue.depth()).toEqual({ waiting: 0, taken: 1 });
    await again.giveBack();
    expect(await left(queue)).toBe(1);
  });

  test('only the first of acknowledge and giveBack counts', async () => {
    const { queue } = await filled(2);
    const { held } = await taken(queue, 2);
    await held[0]?.acknowledge();
    await held[0]?.giveBack();
    await held[1]?.giveBack();
    await held[1]?.acknowledge();
    await held[1]?.giveBack();
    expect(await left(queue)).toBe(1);
    expect((await taken(queue, 1)).items).toEqual([1]);
  });

  test('waiting takers are served in turn, by new and by returned items', async () => {
    const { queue } = await filled(1);
    const { held } = await taken(queue, 1);
    const waiting = [queue.taker().take(), queue.taker().take()];
    await held[0]?.giveBack();
    await queue.put(7);
    expect((await Promise.all(waiting)).map(({ item, attempt }) => [item, attempt])).toEqual([
      [0, 2],
      [7, 1],
    ]);
  });

  test('an aborted take takes nothing', async () => {
    const { queue } = await filled(0);
    const stop = new AbortController();
    const given = queue.taker().take(stop.signal);
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(given).rejects.toBe(reason);
    await expect(queue.taker().take(stop.signal)).rejects.toBe(reason);
    await queue.put(1);
    expect(await left(queue)).toBe(1);
    expect(await queue.taker().take()).toMatchObject({ item: 1, attempt: 1 });
  });

  test('a taker that is closed while it waits rejects, and takes nothing more', async () => {
    const { queue } = await filled(0);
    const taker = queue.taker();
    const waiting = taker.take();
    await taker.close();
    await expect(waiting).rejects.toBeInstanceOf(ChannelClosed);
    await queue.put(1);
    await expect(taker.take()).rejects.toBeInstanceOf(ChannelClosed);
    expect((await taken(queue, 1)).items).toEqual([1]);
  });

  test('a closed queue rejects waiting takes and new items', async () => {
    const { queue, close } = await filled(0);
    const waiting = expect(queue.taker().take()).rejects.toBeInstanceOf(ChannelClosed);
    await close();
    await waiting;
    await expect(queue.put(1)).rejects.toBeInstanceOf(ChannelClosed);
  });

  test('random takers lose no item and do none twice', async () => {
    const random = seeded('takers');
    const { queue } = await filled(0);
    const done: number[] = [];
    let [next, takers] = [0, [queue.taker()]];
    let held: { readonly by: number; readonly work: Taken<number> }[] = [];
    for (let step = 0; step < 3000; step++) {
      const by = random.int(takers.length);
      const taker = takers[by];
      const chance = random.next();
      if (taker === undefined) continue;
      if (chance < 0.3) await queue.put(next++);
      else if (chance < 0.6) {
        const work = await taker.tryTake();
        if (work !== undefined) held.push({ by, work });
      } else if (chance < 0.9 && held.length > 0) {
        const [one] = held.splice(random.int(held.length), 1);
        if (random.next() < 0.7) {
          await one?.work.acknowledge();
          if (one !== undefined) done.push(one.work.item);
        } else await one?.work.giveBack();
      } else if (chance < 0.93) {
        await taker.close();
        held = held.filter(each => each.by !== by);
        takers = takers.with(by, queue.taker());
      } else if (takers.length < 5) takers = [...takers, queue.taker()];
      expect((await left(queue)) + done.length).toBe(next);
    }
    for (const taker of takers) await taker.close();
    const rest = await taken(queue, await left(queue));
    const isFresh = rest.held.map(({ attempt }) => Number(attempt === 1));
    expect(isFresh).toEqual(isFresh.toSorted((a, b) => a - b));
    const fresh = rest.items.filter((_, index) => isFresh[index] === 1);
    expect(fresh).toEqual(fresh.toSorted((a, b) => a - b));
    expect([...done, ...rest.items].sort((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, n) => n));
    expect(done.length).toBeGreaterThan(100);
  });
}

function registerLaws(opened: Opened): void {
  test('a register has the last value, and none before the first', async () => {
    const { register } = await opened();
    expect(await register.get()).toBeUndefined();
    for (const value of [1, 2]) await register.set(value);
    expect(await register.get()).toBe(2);
  });

  test('a watcher sees the current value, then newer ones', async () => {
    const { register } = await opened();
    await register.set(1);
    const watching = begun(register.watch());
    expect((await watching.next()).value).toBe(1);
    for (const value of [2, 3]) {
      const coming = watching.next();
      await register.set(value);
      expect((await coming).value).toBe(value);
    }
  });

  test('a slow watcher may skip values, but never the last, and sees none twice', async () => {
    const { register } = await opened();
    const watching = begun(register.watch());
    for (const value of [1, 2, 3]) await register.set(value);
    expect((await watching.next()).value).toBe(3);
    for (const value of [4, 5]) await register.set(value);
    expect((await watching.next()).value).toBe(5);
  });

  test('a watch ends when its signal aborts or the register closes', async () => {
    const { register, close } = await opened();
    const stop = new AbortController();
    await register.set(1);
    const watching = [begun(register.watch(stop.signal)), begun(register.watch())];
    for (const each of watching) expect((await each.next()).value).toBe(1);
    const [stopped, ended] = watching.map(each => each.next());
    stop.abort();
    expect((await stopped)?.done).toBe(true);
    await close();
    expect((await ended)?.done).toBe(true);
    await expect(register.set(2)).rejects.toBeInstanceOf(ChannelClosed);
  });
}

function logLaws(opened: Opened): void {
  test('entries are numbered, and each reader sees all of them from its start', async () => {
    const { log } = await opened();
    const early = first(3, log.read(0));
    expect([await log.append('a'), await log.append('b'), await log.append('c')]).toEqual([0, 1, 2]);
    const all = [
      { number: 0, entry: 'a' },
      { number: 1, entry: 'b' },
      { number: 2, entry: 'c' },
    ];
    expect(await early).toEqual(all);
    expect(await first(3, log.read(0))).toEqual(all);
    expect(await first(1, log.read(2))).toEqual(all.slice(2));
  });

  test('a read ends when its signal aborts; entries before the close are still read', async () => {
    const { log, close } = await opened();
    await log.append('a');
    const stop = new AbortController();
    const reading = begun(log.read(0, stop.signal));
    expect((await reading.next()).value).toEqual({ number: 0, entry: 'a' });
    const stopped = reading.next();
    stop.abort();
    expect((await stopped).done).toBe(true);
    await close();
    expect((await first(2, log.read(0))).map(({ entry }) => entry)).toEqual(['a']);
    await expect(log.append('b')).rejects.toBeInstanceOf(ChannelClosed);
  });
}

function topicLaws(opened: Opened): void {
  test('each listener gets the events that are published while it listens, in order', async () => {
    const { topic } = await opened();
    topic.publish(0);
    const [one, other] = [topic.listen(), topic.listen()];
    for (const event of [1, 2]) topic.publish(event);
    const events = [1, 2].map(event => ({ event, missed: 0 }));
    expect(await first(2, one)).toEqual(events);
    expect(await first(2, other)).toEqual(events);
  });

  test('a slow listener misses the oldest events, and sees how many', async () => {
    const { topic } = await opened();
    const slow = topic.listen({ maxUnread: 3 });
    for (let event = 0; event < 10; event++) topic.publish(event);
    expect(await first(3, slow)).toEqual([
      { event: 7, missed: 7 },
      { event: 8, missed: 0 },
      { event: 9, missed: 0 },
    ]);
  });

  test('a listener ends when its signal aborts or the topic closes', async () => {
    const { topic, close } = await opened();
    const stop = new AbortController();
    const listening = [begun(topic.listen({ signal: stop.signal })), begun(topic.listen())];
    topic.publish(1);
    for (const each of listening) expect((await each.next()).value).toEqual({ event: 1, missed: 0 });
    const [stopped, ended] = listening.map(each => each.next());
    stop.abort();
    expect((await stopped)?.done).toBe(true);
    await close();
    expect((await ended)?.done).toBe(true);
  });
}
