// The reply in a line that Dartboard wrote. The file may have been changed since, so its numbers are checked before panels show them. Pure.

import type { ChosenBy } from '../../core/step.ts';
import type { TokensTrace } from '../../core/trace.ts';
import { IMPORTED_SERVER } from '../steps.ts';

/** Choices of the built-in policy are not taken over: they belong to its weights. Impossible numbers are removed, the text stays. */
export function ownReply({ version, trace }: ChosenBy): ChosenBy | undefined {
  if (trace.kind === 'heads') return undefined;
  if (trace.kind === 'same-turn' || isPossible(trace)) return { version, trace };
  const { prompt: _, ...rest } = trace;
  const served = { ...IMPORTED_SERVER, model: trace.served.model };
  return { version, trace: { ...rest, tokens: [], estimator: 'none', served } };
}

function isPossible({ tokens, prompt = [], served }: TokensTrace): boolean {
  const { latencyMs, promptTokens, completionTokens, cost } = served;
  const alternatives = tokens.flatMap(token => token.alternatives ?? []);
  return (
    [promptTokens, completionTokens, ...tokens.map(({ id }) => id), ...prompt].every(isCount) &&
    [latencyMs, cost, ...tokens.map(({ entropy }) => entropy)].every(isAmount) &&
    [...tokens, ...alternatives].every(({ logProbability = 0 }) => isAmount(-logProbability))
  );
}

const isCount = (value = 0): boolean => Number.isSafeInteger(value) && value >= 0;
const isAmount = (value = 0): boolean => Number.isFinite(value) && value >= 0;
