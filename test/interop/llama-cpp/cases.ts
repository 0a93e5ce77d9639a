// Requests to the server of llama.cpp, and what our client must make of its replies. `recorded.test.ts` plays recorded replies,
// `live.test.ts` asks the server.

import { expect } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { trainingRefusal } from '../../../runtime/core/trace.ts';
import { EndpointClient } from '../../../runtime/endpoints/client.ts';
import type { HttpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { ApiKey } from '../../../runtime/endpoints/keys.ts';
import { type ReplyContent, readReply } from '../../../runtime/endpoints/reply.ts';
import { chatBody, type WireDialect } from '../../../runtime/endpoints/wire-request.ts';
import { CONTEXT, KEY, MODEL } from './server.ts';

/** The server rejects `top_k` -1, and ignores `max_completion_tokens`. */
export const DIALECT: WireDialect = {
  ...{ sampling: true, extras: true, topCount: 5 },
  limitField: 'max_tokens',
  allTokens: 0,
};

export interface Server {
  readonly url: string;
  readonly transport: HttpTransport;
}

export interface Case {
  /** The name of its recording. */
  readonly name: string;
  /** Asks, and checks what comes of it. */
  readonly check: (server: Server) => Promise<void>;
}

interface Asked {
  readonly text: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly model?: string;
  readonly dialect?: Partial<WireDialect>;
  readonly key?: string;
}

const clientOf = ({ url, transport }: Server, key = KEY): EndpointClient =>
  new EndpointClient({
    ...{ name: 'llama', url, key: new ApiKey(key), timeoutMs: 600_000, transport, clock: systemClock },
  });

const NEVER = new AbortController().signal;

export async function ask(server: Server, asked: Asked): Promise<ReplyContent> {
  const { text, temperature = 0, maxTokens = 24, seed = 7, model = MODEL } = asked;
  const dialect = { ...DIALECT, ...asked.dialect };
  const messages = [{ role: 'user', parts: [{ type: 'text', text }] }] as const;
  const sampling = { temperature, topP: 1, topK: -1, maxTokens, seed };
  const body = chatBody({ messages, sampling }, model, dialect, noImages);
  const reply = await clientOf(server, asked.key).chat(body, NEVER);
  return readReply(reply, { model, topCount: dialect.topCount ?? 0 });
}

function noImages(): Uint8Array {
  throw new Error('These requests have no images.');
}

const LIST_FIVE = 'Write the numbers from one to five.';

/** Of every reply with log-probabilities. */
export function expectReadable(reply: ReplyContent): void {
  const { tokens, completionTokens, promptTokens, model, defects } = reply;
  expect(defects).toEqual([]);
  expect(tokens).toHaveLength(completionTokens ?? 0);
  expect(promptTokens).toBeGreaterThan(0);
  expect(model).toBe(MODEL);
  for (const { logProbability = Number.NaN, entropy = Number.NaN } of tokens) {
    expect(logProbability).toBeLessThanOrEqual(0);
    expect(entropy).toBeGreaterThanOrEqual(0);
    expect(Number.isFinite(logProbability) && Number.isFinite(entropy)).toBe(true);
  }
  // The server has the ids, but reports none.
  const served = { endpoint: 'llama', model: MODEL, latencyMs: 1, retries: [] };
  expect(trainingRefusal({ kind: 'tokens', ...reply, served })).toBe('the server reports no token ids');
}

const failing = async (asked: Promise<unknown>, reason: string, message: RegExp): Promise<void> => {
  await expect(asked).rejects.toMatchObject({ reason, message: expect.stringMatching(message) });
};

export const CASES: readonly Case[] = [
  {
    name: 'greedy',
    check: async server => {
      const reply = await ask(server, { text: LIST_FIVE });
      expectReadable(reply);
      expect(reply.estimator).toBe('top-k');
      for (const { logProbability, alternatives = [] } of reply.tokens)
        expect(alternatives[0]?.logProbability).toBe(logProbability);
    },
  },
  {
    name: 'sampled',
    check: async server => {
      const reply = await ask(server, { text: LIST_FIVE, temperature: 1 });
      expectReadable(reply);
      expect(reply.tokens.length).toBeGreaterThan(0);
    },
  },
  {
    name: 'split-characters',
    check: async server => {
      const reply = await ask(server, { text: 'Say hello with three emojis 😀🎉.' });
      expectReadable(reply);
      expect(reply.raw).toMatch(/\p{Extended_Pictographic}/u);
      expect(reply.tokens.map(({ text }) => text)).toContain('\uFFFD');
    },
  },
  {
    name: 'token-limit',
    check: async server => {
      const reply = await ask(server, { text: LIST_FIVE, maxTokens: 1 });
      expectReadable(reply);
      expect(reply).toMatchObject({ finish: 'length', tokens: [{}] });
    },
  },
  {
    name: 'end-of-text',
    check: async server => {
      const reply = await ask(server, { text: 'Reply with the word yes.', maxTokens: 100 });
      expectReadable(reply);
      expect(reply.finish).toBe('stop');
    },
  },
  {
    name: 'without-candidates',
    // Without `top_logprobs`, it leaves out the log-probabilities that were requested.
    check: async server => {
      const reply = await ask(server, { text: LIST_FIVE, dialect: { topCount: 0 } });
      expect(reply).toMatchObject({ estimator: 'none', tokens: [], defects: [] });
    },
  },
  {
    name: 'unknown-model',
    // It answers for every name of a model, so only its list of models can reveal a wrong one.
    check: async server => {
      const reply = await ask(server, { text: LIST_FIVE, maxTokens: 1, model: 'another' });
      expect(reply).toMatchObject({ model: 'another', defects: [] });
    },
  },
  {
    name: 'models',
    check: async server => {
      expect(await clientOf(server).get('/models', NEVER)).toMatchObject({ data: [{ id: MODEL }] });
    },
  },
  {
    name: 'wrong-key',
    check: async server => {
      const asked = ask(server, { text: LIST_FIVE, key: 'a-wrong-key' });
      await failing(asked, 'unauthorized', /status 401: Invalid API key\. Correct the key/);
    },
  },
  {
    name: 'rejected-field',
    // With status 500: a server error would be sent again.
    check: async server => {
      const asked = ask(server, { text: LIST_FIVE, dialect: { allTokens: -1 } });
      await failing(asked, 'bad-request', /status 500: 1 validation error.*top_k/);
    },
  },
  {
    name: 'too-long',
    check: async server => {
      const asked = ask(server, { text: 'one two '.repeat(CONTEXT / 2) });
      await failing(asked, 'bad-request', new RegExp(`maximum context length is ${CONTEXT} tokens`));
    },
  },
  {
    name: 'unknown-route',
    check: async server => {
      await failing(clientOf(server).get('/nothing', NEVER), 'no-such-model', /status 404: Not Found/);
    },
  },
];
