// A chat model over HTTP without the router: one request at a time, no retries. A benchmark fails where a product would try again.

import type { ChatReply } from '../../core/chat.ts';
import type { ChatModel, ChatRequest } from '../../endpoints/chat.ts';
import { readReply } from '../../endpoints/reply.ts';
import { parseWireJson, wireReply } from '../../endpoints/wire-reply.ts';
import { chatBody } from '../../endpoints/wire-request.ts';

const TOP_COUNT = 5;

export const httpChat = (url: string, key: string, model: string): ChatModel => ({
  complete: request => complete(request, url, key, model),
  end: () => undefined,
});

async function complete(
  { messages, images, sampling, signal }: ChatRequest,
  url: string,
  key: string,
  model: string,
): Promise<ChatReply> {
  const dialect = {
    limitField: 'max_tokens',
    sampling: true,
    topCount: TOP_COUNT,
    extras: true,
    allTokens: -1,
  } as const;
  const dataUrl = (sha256: string) =>
    Buffer.from(`data:image/png;base64,${Buffer.from(images(sha256)).toString('base64')}`);
  const parts = chatBody({ messages, sampling }, model, dialect, dataUrl).map(part => Buffer.from(part));
  const startedAt = performance.now();
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: Buffer.concat(parts),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 400)}`);
  const latencyMs = performance.now() - startedAt;
  const {
    model: answered,
    reportedVersion,
    promptTokens,
    completionTokens,
    ...content
  } = readReply(wireReply.parse(parseWireJson(text)), { model, topCount: TOP_COUNT });
  return {
    ...content,
    served: {
      ...{ endpoint: url, model: answered ?? model, latencyMs, retries: [] },
      ...(reportedVersion !== undefined && { reportedVersion }),
      ...(promptTokens !== undefined && { promptTokens }),
      ...(completionTokens !== undefined && { completionTokens }),
    },
  };
}
