// Best-first search.

import { expect, test } from 'vitest';
import { bestFirstSearch } from '../../../runtime/discovery/transfer/search.ts';

const DIGITS = ['0', '1', '2'];

/** All that is tried of three choices until what is wanted comes. */
async function tried(wanted: string | undefined, most = 100) {
  const all: string[] = [];
  const found = await bestFirstSearch(most, async choices => {
    const made = [0, 1, 2].map(() => choices.choose(DIGITS)).join('');
    all.push(made);
    return made === wanted ? made : undefined;
  });
  return { all, found };
}

test('the likeliest sequence is tried first, and every sequence once', async () => {
  const { all, found } = await tried(undefined);
  expect(found).toBeUndefined();
  expect(all[0]).toBe('000');
  expect(all).toHaveLength(27);
  expect(new Set(all).size).toBe(27);
});

test('one deviation is tried before two, and two before three', async () => {
  const { all } = await tried(undefined);
  const turns = all.map(each => each.replaceAll('0', '').length);
  const firstWith = (count: number) => turns.indexOf(count);
  expect(firstWith(1)).toBeLessThan(firstWith(2));
  expect(turns.slice(0, 4)).toEqual([0, 1, 1, 1]);
  expect(turns.lastIndexOf(1)).toBeLessThan(firstWith(3));
});

test('the search ends with the first success or at the limit', async () => {
  expect(await tried('010')).toMatchObject({ found: '010' });
  const { all, found } = await tried('222', 5);
  expect(all).toHaveLength(5);
  expect(found).toBeUndefined();
});

test('without options nothing is chosen', async () => {
  const chosen = await bestFirstSearch(3, async choices => [choices.choose([])]);
  expect(chosen).toEqual([undefined]);
});
