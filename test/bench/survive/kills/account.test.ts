// The account of a run after its faults.

import { expect, test } from 'vitest';
import {
  curveSetbacks,
  differingRows,
  trainedTwice,
} from '../../../../runtime/bench/survive/kills/account.ts';

const trained = (batch: string, group: string, ...trajectories: string[]) => ({ batch, group, trajectories });

test('a batch that is delivered again trains nothing twice; another batch with the group does', () => {
  const once = [trained('b1', 'g1', 't1', 't2'), trained('b1', 'g2', 't3'), trained('b2', 'g3', 't4')];
  expect(trainedTwice(once)).toBe(0);
  expect(trainedTwice([...once, ...once])).toBe(0);
  expect(trainedTwice([...once, trained('b3', 'g1', 't1', 't2')])).toBe(2);
});

test('a stored success may train again in another group', () => {
  expect(trainedTwice([trained('b1', 'g1', 't1'), trained('b2', 'g2', 't1', 't2')])).toBe(0);
});

test('rows of one index only and rows that differ are found from both sides', () => {
  const [one, other] = [
    new Map([
      ['same', '1'],
      ['changed', '2'],
      ['removed', '3'],
    ]),
    new Map([
      ['added', '4'],
      ['changed', '5'],
      ['same', '1'],
    ]),
  ];
  expect(differingRows(one, one)).toEqual([]);
  expect(differingRows(one, other).toSorted()).toEqual(['added', 'changed', 'removed']);
  expect(differingRows(other, one).toSorted()).toEqual(['added', 'changed', 'removed']);
});

test('only fewer steps than before are a setback', () => {
  expect(curveSetbacks([])).toBe(0);
  expect(curveSetbacks([0, 10, 10, 25])).toBe(0);
  expect(curveSetbacks([0, 10, 5, 25, 24])).toBe(2);
});
