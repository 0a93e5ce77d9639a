// The template of a chat: messages become the prompt of one row. Only the last picture is seen.

import type { Pixels } from '../../core/screen.ts';
import { pictureOf } from './picture.ts';
import { type MicroRow, promptRow } from './row.ts';

/** A message with decoded images. */
export interface DecodedMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly pixels: Pixels }
  )[];
}

export function chatPrompt(messages: readonly DecodedMessage[]): MicroRow {
  const parts = messages.flatMap(message => message.parts);
  const text = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
  const picture = parts.findLast(part => part.type === 'image');
  return promptRow({ text, picture: picture && pictureOf(picture.pixels) });
}
