// The order and the size of the updates of a batch of replies.

import { expect, test } from 'vitest';
import { batchId, groupId, trajectoryId } from '../../../runtime/core/ids.ts';
import { minibatches, mixed } from '../../../runtime/trainer/tokens/minibatches.ts';

const ROWS = Array.from({ length: 100 }, (_, number) => ({
  ...{ number, old: [-1, -1], group: groupId('g') },
  origin: { trajectory: trajectoryId('t'), index: number },
}));
const REPLAYED = 80;

test('each update has its share of the replayed successes, which end the batch', () => {
  const parts = minibatches(mixed(ROWS, batchId('b')), 25, 0);
  expect(parts.map(part => part.length)).toEqual([25, 25, 25, 25]);
  for (const part of parts) {
    const replayed = part.filter(({ number }) => number >= REPLAYED).length;
    expect(replayed).toBeGreaterThan(0);
    expect(replayed).toBeLessThan(part.length / 2);
  }
  expect(new Set(parts.flat())).toEqual(new Set(ROWS));
});

test('a budget leaves out steps of all kinds', () => {
  const parts = minibatches(mixed(ROWS, batchId('b')), 25, 70);
  expect(parts.flat().some(({ number }) => number >= REPLAYED)).toBe(true);
  expect(parts.flat().length).toBeLessThan(ROWS.length);
});

test('a batch that is trained again has the same updates', () => {
  expect(mixed(ROWS, batchId('b'))).toEqual(mixed(ROWS, batchId('b')));
  expect(mixed(ROWS, batchId('b'))).not.toEqual(mixed(ROWS, batchId('c')));
});

test('a row that is gone, or selected anew, moves no other one by more than a place', () => {
  const [all, less] = [ROWS, ROWS.slice(1)].map(rows => mixed(rows, batchId('b')));
  expect(all?.filter(({ number }) => number !== 0)).toEqual(less);
});

test('within an update, the rows of a trajectory are adjacent and in order; chance alone decides which rows it has', () => {
  const rows = Array.from({ length: 60 }, (_, number) => ({
    ...{ old: [-1], group: groupId('g') },
    origin: { trajectory: trajectoryId(`t${number % 6}`), index: Math.floor(number / 6) },
  }));
  const order = mixed(rows, batchId('b'));
  for (const [index, part] of minibatches(order, 20, 0).entries()) {
    expect(new Set(part)).toEqual(new Set(order.slice(20 * index, 20 * (index + 1))));
    const places = part.map(({ origin }) => `${origin.trajectory}/${origin.index}`);
    expect(places).toEqual(places.toSorted());
  }
});
