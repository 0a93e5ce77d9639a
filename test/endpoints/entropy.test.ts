// The entropy of a token from the likeliest tokens: unbiased, where the sum over the reported tokens alone is far too small.

import { describe, expect, test } from 'vitest';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import { sum } from '../../runtime/core/sum.ts';
import { estimateEntropies, type TokenReport } from '../../runtime/endpoints/entropy.ts';

const VOCABULARY = 150_000;

/** A head of a few likely tokens, and a long tail that holds most of the entropy. Sorted, likeliest first. */
function distribution(tailMass: number): Float64Array {
  const head = [0.9, 0.06, 0.025, 0.01, 0.005];
  const tail = Array.from({ length: VOCABULARY - head.length }, (_, index) => 1 / (index + 10));
  const tailSum = sum(tail);
  return Float64Array.from([
    ...head.map(each => each * (1 - tailMass)),
    ...tail.map(each => (each / tailSum) * tailMass),
  ]).sort((a, b) => b - a);
}

const entropyOf = (probabilities: Float64Array): number =>
  probabilities.reduce((total, p) => total - p * Math.log(p), 0);

function sampler(probabilities: Float64Array): (random: Random) => number {
  const cumulative = new Float64Array(probabilities.length);
  let total = 0;
  for (const [index, p] of probabilities.entries()) cumulative[index] = total += p;
  return random => {
    const wanted = random.next() * total;
    let [low, high] = [0, cumulative.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** The report of a server that replaces the k-th candidate by a sampled token of the tail, or appends the sampled token. */
function report(
  probabilities: Float64Array,
  sampled: number,
  k: number,
  mode: 'replace' | 'append',
): TokenReport {
  const logProbability = (index: number) => Math.log(probabilities[index] ?? 0);
  const listed = Array.from({ length: k }, (_, index) => index);
  const kept = mode === 'replace' ? listed.slice(0, -1) : listed;
  const all = listed.includes(sampled) ? listed : [...kept, sampled];
  return {
    logProbability: logProbability(sampled),
    candidates: all.map(index => ({
      logProbability: logProbability(index),
      isSampled: index === sampled,
    })),
  };
}

const SAMPLES = 20_000;

interface Estimates {
  readonly mean: number;
  readonly standardError: number;
  readonly estimator: string;
}

const surprisals = (probabilities: Float64Array): Estimates =>
  estimatesOf(probabilities, 0, 'surprisal', sampled => ({
    logProbability: Math.log(probabilities[sampled] ?? 0),
    candidates: [],
  }));

const estimates = (probabilities: Float64Array, k: number, mode: 'replace' | 'append'): Estimates =>
  estimatesOf(probabilities, k, `entropy ${k} ${mode}`, sampled => report(probabilities, sampled, k, mode));

function estimatesOf(
  probabilities: Float64Array,
  requested: number,
  seed: string,
  reportOf: (sampled: number) => TokenReport,
): Estimates {
  const random = seeded(seed);
  const sample = sampler(probabilities);
  const tokens = Array.from({ length: SAMPLES }, () => reportOf(sample(random)));
  const { estimator, entropies } = estimateEntropies(tokens, requested);
  const values = entropies.map(each => each ?? Number.NaN);
  const mean = sum(values) / SAMPLES;
  const variance = sum(values.map(each => (each - mean) ** 2)) / (SAMPLES - 1);
  return { mean, standardError: Math.sqrt(variance / SAMPLES), estimator };
}

describe.each([
  ['low entropy', distribution(0.02), 0.5, 0.75],
  ['high entropy', distribution(0.16), 1.9, 2.6],
] as const)('a distribution of 150,000 tokens with %s', (_, probabilities, least, most) => {
  const truth = entropyOf(probabilities);

  test('has the entropy of the facts', () => {
    expect(sum([...probabilities])).toBeCloseTo(1, 9);
    expect(truth).toBeGreaterThan(least);
    expect(truth).toBeLessThan(most);
  });

  test.each([2, 5, 20])('the top-%d estimate is unbiased', k => {
    for (const mode of ['replace', 'append'] as const) {
      const { mean, standardError, estimator } = estimates(probabilities, k, mode);
      expect(estimator).toBe('top-k');
      expect(Math.abs(mean - truth)).toBeLessThan(4 * standardError);
      expect(standardError).toBeLessThan(0.05 * truth);
    }
  });

  test.each([5, 20])('the top-%d estimate has less noise than the surprisal', k => {
    const { standardError } = estimates(probabilities, k, 'append');
    expect(standardError).toBeLessThan(0.75 * surprisals(probabilities).standardError);
  });

  test.each([5, 20])('the sum over %d tokens alone misses a third and more', k => {
    const naive = entropyOf(probabilities.slice(0, k));
    expect(naive).toBeLessThan(0.67 * truth);
  });

  test('without candidates, the surprisal is unbiased', () => {
    const { mean, standardError, estimator } = surprisals(probabilities);
    expect(estimator).toBe('surprisal');
    expect(Math.abs(mean - truth)).toBeLessThan(4 * standardError);
  });
});

test('T has the same size for all tokens of a reply', () => {
  // The server appends a sampled token that is not among the two likeliest: a list of three must not use a larger T.
  const three = [0.5, 0.3, 0.2].map((p, index) => ({ logProbability: Math.log(p), isSampled: index === 2 }));
  const two = [0.5, 0.3].map((p, index) => ({ logProbability: Math.log(p), isSampled: index === 0 }));
  const { entropies } = estimateEntropies(
    [
      { logProbability: Math.log(0.2), candidates: three },
      { logProbability: Math.log(0.5), candidates: two },
    ],
    2,
  );
  // The surprisal of the one token in T stands for that of the others.
  expect(entropies[0]).toBeCloseTo(Math.LN2 + (-Math.log(0.2) - Math.LN2), 12);
  expect(entropies[1]).toBeCloseTo(Math.LN2, 12);
});

test('without log-probabilities there is no estimate', () => {
  expect(estimateEntropies([{ candidates: [] }], 20)).toEqual({
    estimator: 'none',
    entropies: [undefined],
  });
});
