// What is worth imitating: what happens often does not drown what happens seldom.

import { expect, test } from 'vitest';
import { seeded } from '../../runtime/contracts/world.ts';
import { Shelf } from '../../runtime/data/shelf.ts';

/** The share of drawn steps that are like this. */
function shareOf(shelf: Shelf<string>, isLike: (step: string) => boolean, count = 4000): number {
  const random = seeded('shelf');
  const drawn = Array.from({ length: count }, () => shelf.draw(random) ?? '');
  return drawn.filter(isLike).length / count;
}

test('each kind is drawn as often as the others, however many trajectories it has', () => {
  const shelf = new Shelf<string>(100);
  for (let number = 0; number < 90; number++) shelf.put('often', [`often ${number}`]);
  shelf.put('seldom', ['seldom']);
  shelf.put('rare', ['rare']);
  for (const kind of shelf.kinds)
    expect(Math.abs(shareOf(shelf, step => step.startsWith(kind)) - 1 / 3)).toBeLessThan(0.03);
});

test('within a kind each trajectory is drawn alike, however long, and within it each step', () => {
  const shelf = new Shelf<string>(10);
  shelf.put('kind', ['short']);
  shelf.put(
    'kind',
    Array.from({ length: 9 }, (_, step) => `long ${step}`),
  );
  expect(Math.abs(shareOf(shelf, step => step === 'short') - 1 / 2)).toBeLessThan(0.03);
  expect(Math.abs(shareOf(shelf, step => step === 'long 8') - 1 / 18)).toBeLessThan(0.02);
});

test('the latest take the place of the oldest, kind by kind', () => {
  const shelf = new Shelf<string>(3);
  shelf.put('other', ['kept']);
  for (let number = 0; number < 8; number++) shelf.put('kind', [`${number}`]);
  expect([shelf.count('kind'), shelf.count('other'), shelf.size]).toEqual([3, 1, 4]);
  const random = seeded('latest');
  const drawn = new Set(Array.from({ length: 300 }, () => shelf.draw(random)));
  expect(drawn).toEqual(new Set(['5', '6', '7', 'kept']));
});

test('nothing is drawn from an empty shelf, and a trajectory without steps is not kept', () => {
  const shelf = new Shelf<string>(3);
  expect(shelf.draw(seeded('empty'))).toBeUndefined();
  shelf.put('kind', []);
  expect([shelf.kinds, shelf.size, shelf.count('kind')]).toEqual([[], 0, 0]);
  expect(shelf.draw(seeded('empty'))).toBeUndefined();
});

test('the same chance draws the same steps', () => {
  const shelf = new Shelf<string>(3);
  for (const kind of ['a', 'b', 'c']) shelf.put(kind, [`${kind}1`, `${kind}2`]);
  const drawn = () => {
    const random = seeded('same');
    return Array.from({ length: 20 }, () => shelf.draw(random));
  };
  expect(drawn()).toEqual(drawn());
});
