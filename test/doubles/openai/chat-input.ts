// A chat request as the model behind the double receives it.

import * as z from 'zod';

export interface ChatInput {
  readonly model: string;
  readonly messages: readonly InputMessage[];
  /** After the server filled in the fields that the request left out. */
  readonly temperature: number;
  readonly seed: number | undefined;
}

export interface InputMessage {
  readonly role: string;
  readonly text: string;
  /** PNG files. */
  readonly images: readonly Uint8Array[];
}

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
]);

export const chatBodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(part)]) })).min(1),
});

export type ChatBody = z.infer<typeof chatBodySchema>;

export const hasArrays = ({ messages }: ChatBody): boolean =>
  messages.some(({ content }) => typeof content !== 'string');

export const messagesOf = ({ messages }: ChatBody): readonly InputMessage[] =>
  messages.map(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
    return {
      role,
      text: parts.flatMap(each => (each.type === 'text' ? [each.text] : [])).join('\n'),
      images: parts.flatMap(each => (each.type === 'image_url' ? [bytesOf(each.image_url.url)] : [])),
    };
  });

const DATA_URL = /^data:image\/png;base64,(.+)$/s;

function bytesOf(url: string): Uint8Array {
  const base64 = DATA_URL.exec(url)?.[1];
  if (base64 === undefined)
    throw new RangeError(`The double reads PNG data URLs only, and got ${url.slice(0, 40)}.`);
  return Buffer.from(base64, 'base64');
}

export const imagesOf = ({ messages }: Pick<ChatInput, 'messages'>): readonly Uint8Array[] =>
  messages.flatMap(({ images }) => images);

export const textOf = ({ messages }: Pick<ChatInput, 'messages'>): string =>
  messages.map(({ text }) => text).join('\n');
