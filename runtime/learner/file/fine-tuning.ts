// Steps of successful trajectories as examples for supervised fine-tuning, in the format of LLaMA-Factory and ms-swift: messages with a
// placeholder for each image, and a list of image files. Pure.

import type { ChatMessage, ChatPart } from '../../core/chat.ts';

/** A prompt and its reply. */
export interface ChatExchange {
  readonly messages: readonly ChatMessage[];
  readonly reply: string;
}

export interface FineTuningExample {
  readonly messages: readonly { readonly role: ChatMessage['role']; readonly content: string }[];
  /** Files relative to the folder of the updates, in the order of the placeholders. */
  readonly images: readonly string[];
}

const IMAGE = '<image>';
/** The tools would not read these as text. */
const PLACEHOLDERS = [
  ...[IMAGE, '<start-image>', '<video>', '<audio>', '<bbox>'],
  ...['<ref-object>', '<cot-process>'],
];

export const imageFile = (sha256: string): string => `images/${sha256}.png`;

/** Undefined for a conversation whose text contains a placeholder: the format has no escape. */
export function fineTuningExample({ messages, reply }: ChatExchange): FineTuningExample | undefined {
  const texts = messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'text' ? part.text : [])),
  );
  if ([...texts, reply].some(text => PLACEHOLDERS.some(each => text.includes(each)))) return undefined;
  return {
    messages: [
      ...messages.map(({ role, parts }) => ({ role, content: parts.map(contentOf).join('') })),
      { role: 'assistant', content: reply },
    ],
    images: imagesIn(messages).map(imageFile),
  };
}

/** The hashes, in order. */
export const imagesIn = (messages: readonly ChatMessage[]): readonly string[] =>
  messages.flatMap(({ parts }) => parts.flatMap(part => (part.type === 'image' ? part.sha256 : [])));

const contentOf = (part: ChatPart): string => (part.type === 'text' ? part.text : IMAGE);

/** The description of the examples that LLaMA-Factory reads in the folder of a data set. */
export const DATASET_INFO = {
  dartboard: {
    file_name: 'chat',
    formatting: 'sharegpt',
    columns: { messages: 'messages', images: 'images' },
    tags: {
      ...{ role_tag: 'role', content_tag: 'content' },
      ...{ user_tag: 'user', assistant_tag: 'assistant', system_tag: 'system' },
    },
  },
};
