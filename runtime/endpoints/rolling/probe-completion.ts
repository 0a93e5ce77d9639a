// One short chat after an update: a server must answer before it gets requests again.

import { EndpointError } from '../failure.ts';
import { repeated } from '../repeated-request.ts';
import { type ReplyContent, readReply } from '../reply.ts';
import { chatBody } from '../wire-request.ts';
import type { WayContext } from './way.ts';

const SAMPLING = { temperature: 1, topP: 1, topK: -1, maxTokens: 8, seed: 1 };

/** Rejects with an EndpointError if the server does not answer, or not with log-probabilities as before. */
export async function probeCompletion(
  { client, dialect, clock }: WayContext,
  model: string,
  signal: AbortSignal,
): Promise<ReplyContent> {
  const body = chatBody(
    { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Reply with OK.' }] }], sampling: SAMPLING },
    model,
    dialect,
    sha256 => {
      throw new RangeError(`The probe has no image ${sha256}.`);
    },
  );
  const reply = readReply(await repeated(() => client.chat(body, signal), clock, signal), {
    model,
    topCount: dialect.topCount ?? 0,
  });
  if (
    dialect.topCount === undefined ||
    reply.tokens.some(({ logProbability }) => logProbability !== undefined)
  )
    return reply;
  throw new EndpointError(
    'bad-reply',
    client.name,
    'After the update, replies have no log-probabilities, as they had before. Read the log of the server.',
  );
}
