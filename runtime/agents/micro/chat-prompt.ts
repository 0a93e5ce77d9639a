// The template of a chat: messages become the prompt of one row. Only the last picture is seen.

import type { PatchedPicture } from './picture.ts';
import { type MicroRow, promptRow } from './row.ts';

/** A message whose images were cut into patches. */
export interface PatchedMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly PatchedPart[];
}

export type PatchedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly picture: PatchedPicture };

export function chatPrompt(messages: readonly PatchedMessage[]): MicroRow {
  const parts = messages.flatMap(message => message.parts);
  const text = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
  const image = parts.findLast(part => part.type === 'image');
  return promptRow({ text, picture: image?.picture });
}
