// Random choices: their domain and their distribution.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneOf, shuffled, weighted } from '../../runtime/core/chance.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';

const DRAWS = 6000;

/** A generator that always draws the same: at the ends of its range most goes wrong. */
function stuckAt(next: number): Random {
  const other = seeded('other');
  return {
    next: () => next,
    int: n => Math.floor(next * n),
    fork: label => other.fork(label),
    save: () => other.save(),
  };
}
const generator = fc.oneof(
  fc.string().map(seeded),
  fc.constantFrom(0, Number.EPSILON, 1 - Number.EPSILON / 2).map(stuckAt),
);

/** How often each was chosen, of all draws. */
function shares<T>(choose: () => T): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (let draw = 0; draw < DRAWS; draw++) {
    const chosen = choose();
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1 / DRAWS);
  }
  return counts;
}

describe('oneOf', () => {
  test('returns a choice, or undefined without choices', () => {
    fc.assert(
      fc.property(generator, fc.array(fc.nat(), { minLength: 1 }), (random, choices) => {
        expect(choices).toContain(oneOf(random, choices));
      }),
    );
    expect(oneOf(seeded('none'), [])).toBeUndefined();
  });

  test('is uniform', () => {
    const random = seeded('one');
    const counts = shares(() => oneOf(random, ['a', 'b', 'c', 'd']));
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
    for (const share of counts.values()) expect(Math.abs(share - 1 / 4)).toBeLessThan(0.02);
  });
});

describe('weighted', () => {
  test('never returns a choice of weight 0', () => {
    // Halves add up without rounding.
    const weights = fc.array(fc.nat(20).map(number => number / 2));
    fc.assert(
      fc.property(generator, weights, (random, all) => {
        const chosen = weighted(random, [...all.keys()], place => all[place] ?? 0);
        if (all.every(weight => weight === 0)) expect(chosen).toBeUndefined();
        else expect(all[chosen ?? -1]).toBeGreaterThan(0);
      }),
    );
  });

  test('chooses in proportion to the weights', () => {
    const random = seeded('weighted');
    const weights = { never: 0, seldom: 0.5, often: 2.5, most: 5, neither: 0 };
    const names = Object.keys(weights) as (keyof typeof weights)[];
    const counts = shares(() => weighted(random, names, name => weights[name]));
    expect([...counts.keys()].sort()).toEqual(['most', 'often', 'seldom']);
    for (const [name = 'never', share] of counts)
      expect(Math.abs(share - weights[name] / 8)).toBeLessThan(0.02);
  });

  test('is undefined without choices or without a positive weight', () => {
    expect(weighted(seeded('none'), [], () => 1)).toBeUndefined();
    expect(weighted(seeded('none'), ['a', 'b'], () => 0)).toBeUndefined();
  });
});

describe('shuffled', () => {
  test('returns a permutation and does not change its input', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat(9)), (seed, all) => {
        const before = [...all];
        expect([...shuffled(seeded(seed), all)].sort()).toEqual([...all].sort());
        expect(all).toEqual(before);
      }),
    );
  });

  test('returns every order equally often', () => {
    const random = seeded('shuffled');
    const counts = shares(() => shuffled(random, ['a', 'b', 'c']).join(''));
    expect(counts.size).toBe(6);
    for (const share of counts.values()) expect(Math.abs(share - 1 / 6)).toBeLessThan(0.02);
  });

  test('is reproducible from the seed', () => {
    const all = Array.from({ length: 20 }, (_, place) => place);
    expect(shuffled(seeded('again'), all)).toEqual(shuffled(seeded('again'), all));
    expect(shuffled(seeded('again'), all)).not.toEqual(all);
  });
});
