// The seeded generator: reproducible, with independent forks and uniform draws.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, resumed, seeded } from '../../runtime/core/rng.ts';

const draws = (random: Random, count = 20): readonly number[] =>
  Array.from({ length: count }, () => random.next());

describe('the seeded generator', () => {
  test('gives the same numbers for the same seed on every machine', () => {
    fc.assert(
      fc.property(fc.string(), seed => {
        expect(draws(seeded(seed))).toEqual(draws(seeded(seed)));
      }),
    );
    const random = seeded(1);
    expect(Array.from({ length: 6 }, () => random.int(1000))).toEqual(PINNED);
  });

  test('is xoshiro128**', () => {
    const random = resumed({ origin: [1, 2, 3, 4], position: [1, 2, 3, 4] });
    expect(Array.from({ length: 6 }, () => random.int(2 ** 32))).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492,
    ]);
  });

  test('gives different numbers for a different seed or label', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one !== other);
        expect(draws(seeded(one))).not.toEqual(draws(seeded(other)));
        expect(draws(seeded(7).fork(one))).not.toEqual(draws(seeded(7).fork(other)));
      }),
    );
  });

  test('forks independently of the numbers drawn before', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.string(), (drawn, label) => {
        const used = seeded(3);
        draws(used, drawn);
        expect(draws(used.fork(label))).toEqual(draws(seeded(3).fork(label)));
        expect(draws(used.fork(label))).not.toEqual(draws(seeded(3)));
      }),
    );
  });

  test('distinguishes a fork of a fork from one fork with both labels', () => {
    expect(draws(seeded(3).fork('a').fork('b'))).not.toEqual(draws(seeded(3).fork('ab')));
  });

  test('continues from its saved state, also after JSON', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(50), (seed, drawn) => {
        const random = seeded(seed);
        draws(random, drawn);
        const copy = resumed(JSON.parse(JSON.stringify(random.save())));
        expect(draws(copy)).toEqual(draws(random));
        expect(draws(copy.fork('x'))).toEqual(draws(random.fork('x')));
      }),
    );
  });

  test('draws uniformly from [0, 1)', () => {
    const random = seeded('even');
    const counts = new Array<number>(10).fill(0);
    for (const value of draws(random, 100_000)) {
      if (!(value >= 0 && value < 1)) throw new Error(`${value} was drawn`);
      const bin = Math.floor(value * 10);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    // Six standard deviations of a fair bin: sqrt(100000 * 0.1 * 0.9) is 95.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(570);
  });

  test('draws integers below n uniformly, also if n does not divide 2^32', () => {
    const random = seeded('whole');
    const n = 3_000_000_000; // without redrawing, small results would come twice as often
    const low = Array.from({ length: 20_000 }, () => random.int(n)).filter(value => value < n / 2).length;
    expect(Math.abs(low - 10_000)).toBeLessThan(430);
    fc.assert(fc.property(fc.integer({ min: 1, max: 1000 }), bound => random.int(bound) < bound));
  });

  test('rejects n = 0', () => {
    for (const bad of [0, -1, 1.5, Number.NaN, 2 ** 33]) expect(() => seeded(1).int(bad)).toThrow(RangeError);
  });
});

/** If these change, saved seeds no longer replay what they did. */
const PINNED = [984, 516, 213, 835, 940, 882];
