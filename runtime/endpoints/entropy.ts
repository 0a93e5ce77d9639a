// The entropy of the distribution that a token was sampled from, in nats, from what a server reports about it. Pure.

import { sum } from '../core/sum.ts';
import type { EntropyEstimator } from '../core/trace.ts';

/** One token as a server reports it. */
export interface TokenReport {
  /** Of the sampled token; undefined if the server does not report it. */
  readonly logProbability?: number;
  /** The reported tokens at this position, in any order. */
  readonly candidates: readonly EntropyCandidate[];
}

export interface EntropyCandidate {
  readonly logProbability: number;
  readonly isSampled: boolean;
}

export interface EntropyEstimates {
  readonly estimator: EntropyEstimator;
  /** One for each token; undefined where the server reports nothing. */
  readonly entropies: readonly (number | undefined)[];
}

/**
 * One estimator for all tokens of a reply. `requested` is the number of candidates that the request asked for.
 * With T, the k−1 likeliest tokens, m = Σ_T p, and s the surprisal of the least likely of T:
 * Σ_T −p ln p + (1−m) s, plus −ln p − s of the sampled token if it is not in T. Both terms with s cancel on average; they halve the noise.
 * No estimate is below 0, because no other token has a surprisal below s. T has k−1 tokens, because some servers replace the k-th by the sampled token. The size of T is the same for all tokens, because a
 * server that appends the sampled token would otherwise bias T. The estimate is unbiased if the token was sampled from this distribution.
 */
export function estimateEntropies(tokens: readonly TokenReport[], requested: number): EntropyEstimates {
  const known = tokens.filter(({ logProbability }) => logProbability !== undefined);
  if (known.length === 0) return { estimator: 'none', entropies: tokens.map(() => undefined) };
  const shortest = Math.min(...known.map(({ candidates }) => candidates.length));
  const size = Math.min(requested, shortest) - 1;
  const estimator = size >= 1 ? 'top-k' : 'surprisal';
  const entropyOf = ({ logProbability, candidates }: TokenReport): number | undefined => {
    if (logProbability === undefined) return undefined;
    return estimator === 'top-k' ? topKEntropy(logProbability, candidates, size) : -logProbability;
  };
  return { estimator, entropies: tokens.map(entropyOf) };
}

function topKEntropy(sampled: number, candidates: readonly EntropyCandidate[], size: number): number {
  const likeliest = [...candidates].sort((a, b) => b.logProbability - a.logProbability).slice(0, size);
  const others = Math.max(0, 1 - sum(likeliest.map(({ logProbability }) => Math.exp(logProbability))));
  const least = -Math.min(...likeliest.map(({ logProbability }) => logProbability));
  const isListed = likeliest.some(({ isSampled }) => isSampled);
  return partialEntropy(likeliest) + others * least + (isListed ? 0 : Math.max(0, -sampled - least));
}

/** Σ −p ln p. */
const partialEntropy = (candidates: readonly EntropyCandidate[]): number =>
  sum(candidates.map(({ logProbability }) => -Math.exp(logProbability) * logProbability));
