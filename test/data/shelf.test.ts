// What is worth imitating: what happens often does not drown what happens seldom.

import { expect, test } from 'vitest';
import { seeded } from '../../runtime/contracts/world.ts';
import { type DrawingWeights, Shelf } from '../../runtime/data/shelf.ts';

/** The share of drawn steps that are like this. */
function shareOf(
  shelf: Shelf<string>,
  isLike: (step: string) => boolean,
  weights?: DrawingWeights<string>,
  count = 4000,
): number {
  const random = seeded('shelf');
  const drawn = Array.from({ length: count }, () => shelf.draw(random, weights) ?? '');
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

test('a kind is drawn as often as its weight says, however many trajectories it has', () => {
  const shelf = new Shelf<string>(100);
  for (let number = 0; number < 30; number++) shelf.put('a', [`a ${number}`]);
  for (const kind of ['b', 'c']) shelf.put(kind, [kind]);
  const ofKind = (kind: string) => ({ a: 1, b: 3 })[kind] ?? 0;
  for (const [kind, share] of [['a', 1 / 4] as const, ['b', 3 / 4] as const])
    expect(Math.abs(shareOf(shelf, step => step.startsWith(kind), { ofKind }) - share)).toBeLessThan(0.03);
  expect(shareOf(shelf, step => step === 'c', { ofKind })).toBe(0);
});

test('a step is drawn as often as its weight says, among those of its trajectory only', () => {
  const shelf = new Shelf<string>(10);
  shelf.put('kind', ['light', 'heavy', 'never']);
  shelf.put('kind', ['heaviest']);
  const ofStep = (step: string) => ({ light: 1, heavy: 4, heaviest: 1000 })[step] ?? 0;
  const share = (wanted: string) => shareOf(shelf, step => step === wanted, { ofStep });
  expect(Math.abs(share('light') - 1 / 10)).toBeLessThan(0.03);
  expect(Math.abs(share('heavy') - 4 / 10)).toBeLessThan(0.03);
  expect(Math.abs(share('heaviest') - 1 / 2)).toBeLessThan(0.03);
  expect(share('never')).toBe(0);
});

test('weights of kinds and of steps are followed together', () => {
  const shelf = new Shelf<string>(10);
  for (const kind of ['a', 'b']) shelf.put(kind, [`${kind} often`, `${kind} seldom`]);
  const weights = {
    ofKind: (kind: string) => (kind === 'a' ? 1 : 2),
    ofStep: (step: string) => (step.endsWith('often') ? 3 : 1),
  };
  expect(Math.abs(shareOf(shelf, step => step === 'b often', weights) - 1 / 2)).toBeLessThan(0.03);
  expect(Math.abs(shareOf(shelf, step => step === 'a seldom', weights) - 1 / 12)).toBeLessThan(0.03);
});

test('nothing is drawn where no kind, or no step, has a weight', () => {
  const shelf = new Shelf<string>(3);
  shelf.put('kind', ['step']);
  const random = seeded('none');
  for (const weights of [{ ofKind: () => 0 }, { ofStep: () => 0 }])
    expect(shelf.draw(random, weights)).toBeUndefined();
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
