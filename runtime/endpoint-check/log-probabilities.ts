// Finds whether a server reports log-probabilities before or after the temperature. It sends one prompt at two temperatures and compares
// the candidates of the first token, whose distribution depends on the prompt alone: the differences of raw values are equal, those of
// processed values halve when the temperature doubles.

import type { ChatMessage } from '../core/chat.ts';
import type { Clock } from '../core/clock.ts';
import type { EndpointClient } from '../endpoints/client.ts';
import { repeated } from '../endpoints/repeated-request.ts';
import { MAX_LOG_PROBABILITY, MISSING_LOG_PROBABILITY } from '../endpoints/reply.ts';
import type { WireReply } from '../endpoints/wire-reply.ts';
import { chatBody, type WireDialect } from '../endpoints/wire-request.ts';
import { caution, type EndpointFinding, fine } from './report.ts';

/** 'undecided': the server reports too few candidates. */
export type LogProbabilityKind = 'raw' | 'processed' | 'logits' | 'undecided';

export interface WireOptions {
  readonly client: Pick<EndpointClient, 'chat'>;
  readonly model: string;
  readonly dialect: WireDialect;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Many words may begin the reply. */
const QUESTION: readonly ChatMessage[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Name any animal. Reply with its name alone.' }] },
];
const MAX_TOKENS = 8;
const HIGH_TEMPERATURE = 2;

export async function measureLogProbabilities(options: WireOptions): Promise<LogProbabilityKind> {
  const [one, two] = [await candidates(options, 1), await candidates(options, HIGH_TEMPERATURE)];
  return kindOfLogProbabilities(one, two);
}

type Candidates = ReadonlyMap<string, number>;

async function candidates(
  { client, model, dialect, clock, signal }: WireOptions,
  temperature: number,
): Promise<Candidates> {
  const sampling = { temperature, topP: 1, topK: -1, maxTokens: MAX_TOKENS, seed: 1 };
  const body = chatBody({ messages: QUESTION, sampling }, model, dialect, () => new Uint8Array());
  return firstCandidates(await repeated(() => client.chat(body, signal), clock, signal));
}

/** Of the first token. */
function firstCandidates({ choices: [{ logprobs }] }: WireReply): Candidates {
  const first = logprobs?.content?.[0];
  return new Map(
    [...(first === undefined ? [] : [first]), ...(first?.top_logprobs ?? [])].flatMap(({ token, logprob }) =>
      token != null && logprob != null && logprob > MISSING_LOG_PROBABILITY
        ? [[token, logprob] as const]
        : [],
    ),
  );
}

/** In nats. Smaller differences are rounding. */
const MIN_SPREAD = 0.2;
/** Half-way between the ratios 1 and 2, and as far beyond 2. */
const [RAW_BELOW, PROCESSED_BELOW] = [1.4, 3];

/** From the candidates of equal prompts at temperature 1 and 2. Pure. */
export function kindOfLogProbabilities(one: Candidates, two: Candidates): LogProbabilityKind {
  if ([...one.values()].some(value => value > MAX_LOG_PROBABILITY)) return 'logits';
  const both = [...one].flatMap(([token, value]) => {
    const other = two.get(token);
    return other === undefined ? [] : [[value, other] as const];
  });
  const [atOne, atTwo] = [spreadOf(both.map(([value]) => value)), spreadOf(both.map(([, value]) => value))];
  if (both.length < 3 || atOne < MIN_SPREAD || atTwo === 0) return 'undecided';
  const ratio = atOne / atTwo;
  if (ratio < 1 / RAW_BELOW || ratio >= PROCESSED_BELOW) return 'undecided';
  return ratio < RAW_BELOW ? 'raw' : 'processed';
}

/** The mean distance from the mean: a single rounded value changes it little. */
function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + Math.abs(value - mean), 0) / values.length;
}

/** `topCount` as in the capabilities; `temperature` is that of an agent that samples. */
export function logProbabilityFinding(
  kind: LogProbabilityKind,
  topCount: number | undefined,
  temperature: number,
): EndpointFinding {
  const name = 'Log-probabilities';
  if (topCount === undefined)
    return caution(
      name,
      'none: entropies are unknown',
      'Evaluation works without them. For uncertain steps and training, use a server that reports them.',
    );
  const count = topCount === 0 ? 'of the sampled token alone' : `with ${topCount} candidates`;
  switch (kind) {
    case 'logits':
      return caution(
        name,
        `${count}, but the values are logits, not log-probabilities`,
        'Start vLLM with --logprobs-mode raw_logprobs or processed_logprobs.',
        ['training'],
      );
    case 'processed':
      return fine(name, `${count}, after the temperature (processed)`);
    case 'undecided':
      return fine(name, `${count}; whether before or after the temperature cannot be measured`);
    case 'raw':
      return temperature === 1 || temperature === 0
        ? fine(name, `${count}, before the temperature (raw), which is the same at temperature 1`)
        : caution(
            name,
            `${count}, before the temperature (raw): at the temperature ${temperature} of the agent they are not those of its samples`,
            "Set 'sampling.temperature' to 1, or start vLLM with --logprobs-mode processed_logprobs.",
            ['training'],
          );
  }
}
