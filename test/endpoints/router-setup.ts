// A router over servers that fail, under a virtual clock, and requests to it.

import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { TokenBudget } from '../../runtime/endpoints/budget.ts';
import type { ChatRequest } from '../../runtime/endpoints/chat.ts';
import { EndpointClient } from '../../runtime/endpoints/client.ts';
import { ApiKey } from '../../runtime/endpoints/keys.ts';
import { EndpointRouter, type RouterOptions } from '../../runtime/endpoints/router.ts';
import { type FaultyOptions, FaultyTransport } from '../doubles/openai/faulty.ts';
import { ModelServer } from '../doubles/openai/model-server.ts';
import { type ServerTraits, VLLM } from '../doubles/openai/traits.ts';

export const DIALECT = {
  limitField: 'max_tokens',
  sampling: true,
  topCount: 2,
  extras: true,
  allTokens: -1,
} as const;

interface Setup {
  readonly servers: readonly Partial<FaultyOptions>[];
  readonly traits?: Partial<ServerTraits>;
  readonly options?: Partial<RouterOptions>;
  readonly key?: string;
}

export function setUp({ servers, traits = {}, options = {}, key }: Setup) {
  const clock = new VirtualClock();
  const random = seeded('router');
  const doubles = servers.map(
    (each, index) =>
      new FaultyTransport({
        server: new ModelServer({ traits: { ...VLLM, ...traits }, clock, model: () => 'Action: wait()' }),
        ...{ clock, random: random.fork(`${index}`), ...each },
      }),
  );
  const router = new EndpointRouter({
    agent: 'lab',
    servers: doubles.map((transport, index) => ({
      client: new EndpointClient({
        ...{ name: `lab.${index}`, url: 'http://lab:8000/v1', timeoutMs: 60_000, transport, clock },
        ...(key !== undefined && { key: new ApiKey(key) }),
      }),
      model: 'tars',
      dialect: DIALECT,
    })),
    ...{ concurrency: 64, retries: 8, budget: new TokenBudget(), clock },
    ...options,
  });
  return { clock, router, doubles };
}

export const request = (session: string, seed = 1, signal = new AbortController().signal): ChatRequest => ({
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Mute the sound.' }] }],
  images: () => new Uint8Array(),
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 50, seed },
  ...{ session, signal },
});

/** The result of a request while the clock runs. */
export async function settled<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  const done = work.catch(() => undefined);
  await clock.run();
  await done;
  return work;
}
