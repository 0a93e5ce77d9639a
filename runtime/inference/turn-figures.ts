// The figures of a turn for a reader: how sure the policy was, how long the reply took, and its tokens. Pure.

import { sum } from '../core/sum.ts';
import { type TokensTrace, type Trace, traceUncertainty } from '../core/trace.ts';

/** Each figure that the server reports, in this order: probability, entropy, latency, tokens, cost. */
export function turnFigures(trace: Trace): readonly string[] {
  if (trace.kind !== 'tokens') return [];
  const { served } = trace;
  const probability = meanProbability(trace);
  const entropy = traceUncertainty(trace);
  const { latencyMs, promptTokens, completionTokens, cost } = served;
  return [
    ...(probability === undefined ? [] : [`${Math.round(100 * probability)} % per token`]),
    ...(entropy === undefined ? [] : [`entropy ${entropy.toFixed(2)}`]),
    latencyMs < 1000 ? `${Math.round(latencyMs)} ms` : `${(latencyMs / 1000).toFixed(1)} s`,
    ...tokenFigure(promptTokens, completionTokens),
    ...(cost === undefined ? [] : [`cost ${cost.toPrecision(2)}`]),
  ];
}

/** '1,200 + 45 tokens': of the prompt and of the reply. */
function tokenFigure(prompt: number | undefined, reply: number | undefined): readonly string[] {
  const known = [prompt, reply].flatMap(each => each?.toLocaleString('en-US') ?? []);
  return known.length === 0 ? [] : [`${known.join(' + ')} tokens`];
}

/** The geometric mean over the tokens; undefined if the server does not report all log-probabilities. */
export function meanProbability({ tokens }: TokensTrace): number | undefined {
  const known = tokens.flatMap(({ logProbability }) => logProbability ?? []);
  return known.length === 0 || known.length < tokens.length ? undefined : Math.exp(sum(known) / known.length);
}
