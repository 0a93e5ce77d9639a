// Races of the embedded queue, beside the laws of every queue.

import { expect, test } from 'vitest';
import { ChannelClosed } from '../../runtime/fabric/channels.ts';
import { EmbeddedQueue } from '../../runtime/fabric/embedded/queue.ts';

test('an item that is served in the turn in which its taker closes is not lost', async () => {
  const queue = new EmbeddedQueue<number>('numbers');
  const taker = queue.taker();
  const waiting = expect(taker.take()).rejects.toBeInstanceOf(ChannelClosed);
  const [put, closed] = [queue.put(1), taker.close()];
  await Promise.all([waiting, put, closed]);
  expect(await queue.depth()).toEqual({ waiting: 1, taken: 0 });
  expect(await queue.taker().tryTake()).toMatchObject({ item: 1, attempt: 2 });
});

test('a returned item has its old position, and counts as waiting', async () => {
  const queue = new EmbeddedQueue<number>('numbers');
  for (const item of [0, 1, 2, 3]) await queue.put(item);
  const taker = queue.taker();
  const [zero, , two] = [await taker.take(), await taker.take(), await taker.take()];
  await two.giveBack();
  await zero.giveBack();
  expect(await queue.depth()).toEqual({ waiting: 3, taken: 1 });
  const again = [await taker.take(), await taker.take(), await taker.take()];
  expect(again.map(({ item }) => item)).toEqual([0, 2, 3]);
});

test('an aborted take does not affect the other takes of its taker', async () => {
  const queue = new EmbeddedQueue<number>('numbers');
  const taker = queue.taker();
  const stop = new AbortController();
  const [gone, stays] = [taker.take(stop.signal), taker.take()];
  stop.abort('enough');
  await expect(gone).rejects.toBe('enough');
  await queue.put(1);
  expect((await stays).item).toBe(1);
});
