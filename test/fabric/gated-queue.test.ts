// A queue behind a gate: open, it keeps the laws of a queue; drained, it lets nobody take, and waits for what is taken.

import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ChannelClosed } from '../../runtime/fabric/channels.ts';
import { EmbeddedLog } from '../../runtime/fabric/embedded/log.ts';
import { EmbeddedQueue } from '../../runtime/fabric/embedded/queue.ts';
import { EmbeddedRegister } from '../../runtime/fabric/embedded/register.ts';
import { EmbeddedTopic } from '../../runtime/fabric/embedded/topic.ts';
import { GatedQueue } from '../../runtime/fabric/gated-queue.ts';
import { channelLaws } from './contract.ts';

channelLaws('gated', async () => {
  const channels = {
    queue: new EmbeddedQueue<number>('numbers'),
    register: new EmbeddedRegister<number>('number'),
    log: new EmbeddedLog<string>('words'),
    topic: new EmbeddedTopic<number>(),
  };
  return {
    ...channels,
    queue: new GatedQueue('numbers', channels.queue),
    close: async () => {
      for (const channel of Object.values(channels)) channel.close();
    },
  };
});

async function gated(...items: readonly number[]) {
  const inner = new EmbeddedQueue<number>('numbers');
  for (const item of items) await inner.put(item);
  return { inner, queue: new GatedQueue('numbers', inner) };
}

/** Whether it settles without any more from outside. */
const settles = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>(resolve => setTimeout(resolve, 20, false))]);

test('a drain ends when every taken item is acknowledged, given back, or left by a taker that closes', async () => {
  const { inner, queue } = await gated(1, 2, 3, 4);
  const [one, other] = [queue.taker(), queue.taker()];
  const taken = [await one.take(), await one.tryTake(), await other.take()];
  const drained = queue.drain();
  await taken[0]?.acknowledge();
  await taken[0]?.giveBack();
  expect(await settles(drained)).toBe(false);
  await taken[1]?.giveBack();
  expect(await settles(drained)).toBe(false);
  await other.close();
  await drained;
  expect(await inner.depth()).toEqual({ waiting: 3, taken: 0 });
});

test('nothing is taken after a drain, also not by takes that wait', async () => {
  const { inner, queue } = await gated();
  const taker = queue.taker();
  const waiting = taker.take();
  await queue.drain();
  await queue.drain();
  await inner.put(1);
  expect(await settles(waiting)).toBe(false);
  expect(await taker.tryTake()).toBeUndefined();
  expect(await inner.depth()).toEqual({ waiting: 1, taken: 0 });
  const stop = new AbortController();
  const stopped = taker.take(stop.signal);
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(stopped).rejects.toBe(reason);
  await taker.close();
  await expect(waiting).rejects.toBeInstanceOf(ChannelClosed);
  await expect(taker.take()).rejects.toBeInstanceOf(ChannelClosed);
});

test('a take that got an item before the drain keeps it, and the drain waits for it', async () => {
  const { inner, queue } = await gated();
  const taking = queue.taker().take();
  await inner.put(1);
  const drained = queue.drain();
  const taken = await taking;
  expect(taken.item).toBe(1);
  expect(await settles(drained)).toBe(false);
  await taken.acknowledge();
  await drained;
});

test('an acknowledgement that fails settles its item for the drain: the queue decides who has it', async () => {
  const { inner, queue } = await gated(1);
  const taken = await queue.taker().take();
  const drained = queue.drain();
  const failing = new GatedQueue('broken', {
    put: item => inner.put(item),
    depth: () => inner.depth(),
    taker: () => ({
      take: async () => ({ ...taken, acknowledge: () => Promise.reject(new Error('the lease is lost')) }),
      tryTake: async () => undefined,
      close: async () => undefined,
    }),
  });
  const lost = await failing.taker().take();
  const end = failing.drain();
  await expect(lost.acknowledge()).rejects.toThrow('the lease is lost');
  await end;
  await taken.acknowledge();
  await drained;
});

test('a drain ends too if a taker cannot give back what it holds', async () => {
  const { inner } = await gated(1);
  const broken = new GatedQueue<number>('numbers', {
    put: item => inner.put(item),
    depth: () => inner.depth(),
    taker: () => {
      const taker = inner.taker();
      return {
        take: signal => taker.take(signal),
        tryTake: () => taker.tryTake(),
        close: async () => {
          throw new Error('The broker is away.');
        },
      };
    },
  });
  const taker = broken.taker();
  await taker.take();
  const drained = broken.drain();
  await expect(taker.close()).rejects.toThrow('The broker is away.');
  await drained;
});

test('takes leave nothing behind at a signal that lives longer', async () => {
  const any = vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
    throw new Error('On Node 20 it leaves an entry at each signal.');
  });
  onTestFinished(() => any.mockRestore());
  const { queue } = await gated(1, 2, 3);
  const taker = queue.taker();
  const { signal } = new AbortController();
  for (const item of [1, 2, 3]) {
    const taken = await taker.take(signal);
    expect(taken.item).toBe(item);
    await taken.acknowledge();
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
