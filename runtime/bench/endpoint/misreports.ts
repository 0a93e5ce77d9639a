// Servers that report something wrong about their own reply: each must be named, and an honest one must not.

import type { ReplyDefect } from '../../core/trace.ts';
import { type ChatProcess, chatClient } from './chat-process.ts';
import { MISREPORT_NAMES, MISREPORTS } from './wire.ts';

const TIMEOUT_MS = 60_000;

export interface NamedDefects {
  readonly server: string;
  readonly expected: readonly ReplyDefect[];
  readonly named: readonly ReplyDefect[];
}

/** The model in a request selects what the server reports wrongly. */
export async function askMisreporting({ url }: ChatProcess): Promise<readonly NamedDefects[]> {
  const servers = [
    { server: 'honest', expected: [] },
    ...MISREPORT_NAMES.map(server => ({ server, expected: [MISREPORTS[server]] })),
  ];
  const results: NamedDefects[] = [];
  for (const [index, { server, expected }] of servers.entries()) {
    const client = chatClient({ url, model: server, concurrency: 1, timeoutMs: TIMEOUT_MS });
    try {
      const { defects } = await client.chat.complete({
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'What is next?' }] }],
        images: sha256 => {
          throw new RangeError(`There is no image ${sha256}: the message has only text.`);
        },
        sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 100, seed: index },
        ...{ session: server, signal: new AbortController().signal },
      });
      results.push({ server, expected, named: defects });
    } finally {
      client.close();
    }
  }
  return results;
}

export const isNamed = ({ expected, named }: NamedDefects): boolean => expected.join() === named.join();
