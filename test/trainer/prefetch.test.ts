// What lies ready when the work is done, and what becomes of it when nobody wants it any more.

import { expect, test } from 'vitest';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { Prefetch } from '../../runtime/trainer/prefetch.ts';
import { lesson, rest } from './ring.ts';

const NOTHING = { waiting: 0, taken: 0 };

function flowing(atOnce: number) {
  const { lessons } = embeddedFabric();
  const inflow = new Prefetch(lessons.taker(), atOnce);
  const stop = new AbortController();
  return { lessons, inflow, stop, over: inflow.run(stop.signal) };
}

const kinds = (inflow: Prefetch<{ readonly kind: string }>) => inflow.takeAll().map(({ item }) => item.kind);

test.each([1, 3, 16])('returns each item once and in order, with a prefetch of %i', async atOnce => {
  const { lessons, inflow, stop, over } = flowing(atOnce);
  for (let number = 0; number < 40; number++) await lessons.put(lesson(number));
  await rest();
  expect(kinds(inflow)).toEqual(Array.from({ length: 40 }, (_, number) => `kind ${number}`));
  expect(kinds(inflow)).toEqual([]);
  stop.abort();
  await over;
});

test('items that nobody took are given back at the end', async () => {
  const { lessons, inflow, stop, over } = flowing(4);
  for (let number = 0; number < 10; number++) await lessons.put(lesson(number));
  await rest();
  expect(await lessons.depth()).toEqual({ waiting: 0, taken: 10 });
  stop.abort();
  await over;
  expect(inflow.takeAll()).toEqual([]);
  await lessons.put(lesson(10));
  await rest();
  expect(await lessons.depth()).toEqual({ waiting: 11, taken: 0 });
  expect((await lessons.taker().take()).item.kind).toBe('kind 0');
});

test('a taken item is acknowledged by its taker', async () => {
  const { lessons, inflow, stop, over } = flowing(4);
  await lessons.put(lesson(0));
  await rest();
  const [taken] = inflow.takeAll();
  await taken?.acknowledge();
  stop.abort();
  await over;
  expect(await lessons.depth()).toEqual(NOTHING);
});

test('a wait ends with the first item, an existing item, or the signal', async () => {
  const { lessons, inflow, stop, over } = flowing(2);
  let heard = 0;
  const wait = () => inflow.waitForAny(stop.signal).then(() => (heard += 1));
  const first = wait();
  await rest();
  expect(heard).toBe(0);
  await lessons.put(lesson(0));
  await first;
  await wait();
  expect(heard).toBe(2);
  inflow.takeAll();
  const last = wait();
  await rest();
  expect(heard).toBe(2);
  stop.abort();
  await Promise.all([last, over]);
  expect(heard).toBe(3);
});

test('a failing channel rejects with its error', async () => {
  const inflow = new Prefetch({ take: () => Promise.reject(new Error('gone')) }, 3);
  await expect(inflow.run(new AbortController().signal)).rejects.toThrow('gone');
});
