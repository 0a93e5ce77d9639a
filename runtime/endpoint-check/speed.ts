// Measures how fast a server generates: one request, then a few at a time.

import type { ChatMessage } from '../core/chat.ts';
import { sum } from '../core/sum.ts';
import { repeated } from '../endpoints/repeated-request.ts';
import { chatBody } from '../endpoints/wire-request.ts';
import { decimal } from '../run/number-format.ts';
import type { ClickSample } from './clicks.ts';
import type { WireOptions } from './log-probabilities.ts';
import { inParallel } from './parallel.ts';
import { caution, type EndpointFinding, fine, median } from './report.ts';

export interface Speed {
  /** Tokens per second of one request. */
  readonly alone: number;
  /** Tokens per second of all requests, with several at a time. */
  readonly together: number;
  readonly requests: number;
}

/** A sentence before an action has about as many. */
const MAX_TOKENS = 100;
const REQUESTS = 4;
const QUESTION: readonly ChatMessage[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Write the numbers from 1 to 200, separated by spaces.' }] },
];

/** Undefined if the server does not report how many tokens its replies have. */
export async function measureSpeed(options: WireOptions): Promise<Speed | undefined> {
  const alone = await tokensPerSecond(options, 1);
  if (alone === undefined) return undefined;
  const together = await tokensPerSecond(options, REQUESTS);
  return together === undefined ? undefined : { alone, together, requests: REQUESTS };
}

async function tokensPerSecond(
  { client, model, dialect, clock, signal }: WireOptions,
  requests: number,
): Promise<number | undefined> {
  const from = clock.now();
  const tokens = await inParallel(Array.from({ length: requests }), requests, async (_, index) => {
    // Distinct seeds, since some servers keep replies.
    const sampling = {
      temperature: 1,
      topP: 1,
      topK: -1,
      maxTokens: MAX_TOKENS,
      seed: 100 * requests + index,
    };
    const body = chatBody({ messages: QUESTION, sampling }, model, dialect, () => new Uint8Array());
    const { usage, choices } = await repeated(() => client.chat(body, signal), clock, signal);
    return usage?.completion_tokens ?? choices[0].logprobs?.content?.length;
  });
  const seconds = Math.max(0.001, (clock.now() - from) / 1000);
  const reported = tokens.filter(each => each != null);
  return reported.length < requests ? undefined : sum(reported) / seconds;
}

/** From this share of the deadline on, a slower reply is lost. */
const SLOW_SHARE = 0.5;

export function speedFinding(
  speed: Speed | undefined,
  samples: readonly ClickSample[],
  timeoutMs: number,
): EndpointFinding {
  const latency = median(samples.flatMap(({ reply }) => reply?.latencyMs ?? []));
  const turn = latency === undefined ? '' : `; a turn takes ${decimal(latency / 1000)} s (median)`;
  const says = `${speed === undefined ? 'the server reports no numbers of tokens' : speedText(speed)}${turn}`;
  if (latency === undefined || latency < SLOW_SHARE * timeoutMs) return fine('Speed', says);
  return caution(
    'Speed',
    `${says}, which is near the deadline of ${timeoutMs / 1000} s`,
    "Raise 'limits.timeoutSeconds', or lower 'limits.concurrency'.",
  );
}

const speedText = ({ alone, together, requests }: Speed): string =>
  `${decimal(alone)} tokens/s alone, ${decimal(together)} with ${requests} requests at a time`;
