// The observation of a model agent: the messages of a turn as JSON, with images by hash. The trajectory stores each image once.

import * as z from 'zod';
import type { ChatMessage } from '../../core/chat.ts';
import type { EncodedObservation } from '../../core/policy.ts';

export const CHAT_ENCODING = 'chat-1';

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image'),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    width: z.int().positive(),
    height: z.int().positive(),
  }),
]);

export const chatMessages = z.array(
  z.strictObject({ role: z.enum(['system', 'user', 'assistant']), parts: z.array(part) }),
);

export const encodeChat = (chat: readonly ChatMessage[]): EncodedObservation => ({
  encoding: CHAT_ENCODING,
  bytes: new TextEncoder().encode(JSON.stringify(chat)),
});

/** The messages of an observation. Throws a RangeError for another encoding and for damaged bytes. */
export function chatIn({ encoding, bytes }: EncodedObservation): readonly ChatMessage[] {
  if (encoding !== CHAT_ENCODING)
    throw new RangeError(
      `Cannot read messages from an observation with the encoding '${encoding}'. Only '${CHAT_ENCODING}' has messages.`,
    );
  try {
    return chatMessages.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (error) {
    throw new RangeError('The messages of an observation are damaged. Do not use this trajectory.', {
      cause: error,
    });
  }
}
