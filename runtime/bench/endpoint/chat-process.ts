// The benchmark's server as a child process, and an agent that plays against it with the product's own client and router.

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { ModelAgent } from '../../agents/model/agent.ts';
import type { ProfileId } from '../../agents/model/profile.ts';
import { PROFILES } from '../../agents/model/profiles/index.ts';
import { systemClock } from '../../core/system-clock.ts';
import { TokenBudget } from '../../endpoints/budget.ts';
import type { ChatModel } from '../../endpoints/chat.ts';
import { EndpointClient } from '../../endpoints/client.ts';
import { type HttpTransport, httpTransport } from '../../endpoints/http-transport.ts';
import type { ApiKey } from '../../endpoints/keys.ts';
import { EndpointRouter } from '../../endpoints/router.ts';
import { openChild } from '../../rpc/child.ts';
import { entry } from '../training.ts';
import type { ServedAttempt } from './accounting.ts';
import type { ChatCalls, ChatChildOptions } from './chat-child.ts';
import { FAULTS } from './faults.ts';

export interface ChatProcess {
  readonly port: number;
  readonly url: string;
  /** SIGKILL: open connections are reset, and new ones refused. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export async function startChat(options: ChatChildOptions): Promise<ChatProcess> {
  const { client, pid } = await openChild<ChatCalls, undefined>({
    ...{ name: 'chat server', entry: entry('bench-chat') },
    // Reading requests may keep it busy.
    heartbeatTimeoutMs: Number.POSITIVE_INFINITY,
  });
  const port = await client.call('open', options);
  return {
    port,
    url: `http://127.0.0.1:${port}/v1`,
    kill: async () => {
      process.kill(pid, 'SIGKILL');
      await client.close();
    },
    close: () => client.close(),
  };
}

const attempt = z.strictObject({
  id: z.string(),
  seed: z.number(),
  fault: z.enum(FAULTS).exactOptional(),
  model: z.string(),
  version: z.string(),
});

/** The requests that the servers of all generations recorded, in order of arrival. All but the last server were killed. */
export async function readLedger(file: string, lastVersion: string): Promise<readonly ServedAttempt[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  return lines.map(line => {
    const recorded = attempt.parse(JSON.parse(line));
    return { ...recorded, mayBeCut: recorded.version !== lastVersion };
  });
}

export interface ChatClientOptions {
  /** The base URL of the protocol. */
  readonly url: string;
  readonly key?: ApiKey;
  /** The name in requests. */
  readonly model: string;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly transport?: HttpTransport;
}

const RETRIES = 8;
const TOP_COUNT = 5;

/** The product's router with one server, and the transport to close after use. */
export function chatClient(options: ChatClientOptions): { readonly chat: ChatModel; close(): void } {
  const { url, key, model, concurrency, timeoutMs, transport = httpTransport() } = options;
  const client = new EndpointClient({
    ...{ name: 'bench', url, timeoutMs, transport, clock: systemClock },
    ...(key !== undefined && { key }),
  });
  const dialect = {
    ...({ limitField: 'max_tokens', allTokens: -1 } as const),
    ...{ topCount: TOP_COUNT, sampling: true, extras: true },
  };
  const router = new EndpointRouter({
    ...{ agent: 'bench', servers: [{ client, model, dialect }], concurrency, retries: RETRIES },
    ...{ budget: new TokenBudget(), clock: systemClock },
  });
  return {
    chat: router,
    close: () => {
      router.close();
      transport.close();
    },
  };
}

export const agentOn = (profile: ProfileId, chat: ChatModel): ModelAgent =>
  new ModelAgent({ id: 'bench', profile: PROFILES[profile], chat });
