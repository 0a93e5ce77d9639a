// Whether log-probabilities are raw, processed or logits is found from two lists of candidates.

import { describe, expect, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import {
  kindOfLogProbabilities,
  logProbabilityFinding,
} from '../../runtime/endpoint-check/log-probabilities.ts';

/** The likeliest `count` of 200 tokens with random logits, as a server reports them. */
function candidates(
  seed: string,
  temperature: number,
  count = 20,
  isLogits = false,
): ReadonlyMap<string, number> {
  const random = seeded(seed);
  const logits = Array.from({ length: 200 }, (_, index) => ({
    token: `t${index}`,
    // A few likely tokens, and a long tail.
    logit: 40 * random.next() ** 8,
  }));
  const total = Math.log(logits.reduce((sum, { logit }) => sum + Math.exp(logit / temperature), 0));
  return new Map(
    logits
      .sort((a, b) => b.logit - a.logit)
      .slice(0, count)
      .map(({ token, logit }) => [token, isLogits ? logit : logit / temperature - total]),
  );
}

const SEEDS = ['a', 'b', 'c', 'd', 'e'];

describe('the candidates at temperature 1 and 2', () => {
  test.each([20, 5])('of raw log-probabilities are equal (%i)', count => {
    for (const seed of SEEDS) {
      const one = candidates(seed, 1, count);
      expect(kindOfLogProbabilities(one, one)).toBe('raw');
    }
  });

  test('may differ by rounding', () => {
    for (const seed of SEEDS) {
      const [one, random] = [candidates(seed, 1), seeded(seed).fork('rounding')];
      const two = new Map([...one].map(([token, value]) => [token, value + 0.1 * (random.next() - 0.5)]));
      expect(kindOfLogProbabilities(one, two)).toBe('raw');
    }
  });

  test.each([20, 5])('of processed ones are closer to each other (%i)', count => {
    for (const seed of SEEDS)
      expect(kindOfLogProbabilities(candidates(seed, 1, count), candidates(seed, 2, count))).toBe(
        'processed',
      );
  });

  test('above 0 are logits', () => {
    const logits = candidates('a', 1, 20, true);
    expect(kindOfLogProbabilities(logits, logits)).toBe('logits');
  });

  test('of one token alone decide nothing', () => {
    expect(kindOfLogProbabilities(candidates('a', 1, 1), candidates('a', 2, 1))).toBe('undecided');
    expect(kindOfLogProbabilities(new Map(), new Map())).toBe('undecided');
  });
});

describe('the finding', () => {
  test.each([
    ['raw', 20, 1, 'ok', false],
    ['raw', 20, 0, 'ok', false],
    ['raw', 20, 0.5, 'warning', true],
    ['processed', 20, 0.5, 'ok', false],
    ['undecided', 0, 1, 'ok', false],
    ['undecided', undefined, 1, 'warning', false],
    ['logits', 20, 1, 'warning', true],
  ] as const)(
    'of %s values with %s candidates at %s is %s',
    (kind, topCount, temperature, state, refuses) => {
      const finding = logProbabilityFinding(kind, topCount, temperature);
      expect(finding).toMatchObject({ state, refuses: refuses ? ['training'] : [] });
    },
  );
});
