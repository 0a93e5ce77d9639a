// The prompt and the reply of a step as a row of the micro model: the patches of one picture, then text, then the reply. Pure.

import { MAX_CONTEXT } from '../../agents/micro/decoder.ts';
import type { PatchedPicture } from '../../agents/micro/picture.ts';
import { type MicroRow, promptRow, rowWith } from '../../agents/micro/row.ts';
import { decodeTokens, encodeText } from '../../agents/micro/tokenizer.ts';
import { PIECES } from '../../agents/micro/vocabulary.ts';
import type { TextChunk } from '../learner.ts';

/** An image of a prompt, cut into patches. */
export interface PictureChunk {
  readonly kind: 'image';
  /** Names the image in errors. */
  readonly name: string;
  readonly picture: PatchedPicture;
  /** The number of places of the image in the prompt; undefined if the caller does not know it. */
  readonly tokens: number | undefined;
}

/** The micro model cannot read the prompt or the reply. */
export class MicroPromptError extends RangeError {
  override readonly name = 'MicroPromptError';
}

/** Throws a MicroPromptError. */
export function promptRowOf(chunks: readonly (TextChunk | PictureChunk)[]): MicroRow {
  const [first, ...others] = chunks;
  const picture = first?.kind === 'image' ? pictureOfChunk(first) : undefined;
  const ids = chunks.flatMap(chunk => (chunk.kind === 'text' ? chunk.tokens : []));
  const late = others.find(chunk => chunk.kind === 'image');
  if (late?.kind === 'image')
    throw new MicroPromptError(
      `The image ${late.name} is not the first part of the prompt. Send one image, before the text: the micro model sees no other.`,
    );
  const row = promptRow({ text: textOf(ids), picture });
  if (row.entries.length === 0)
    throw new MicroPromptError('The prompt has no tokens. Send a text, or a picture that shows something.');
  return row;
}

/** The picture, if it has as many patches as the prompt has tokens for it. Throws a MicroPromptError. */
export function pictureOfChunk({ name, picture, tokens }: PictureChunk): PatchedPicture {
  const { length } = picture.patches;
  if (tokens === undefined || tokens === length) return picture;
  throw new MicroPromptError(
    `The image ${name} has ${tokens} tokens in the prompt, and ${length} patches. Send the image that the policy saw, with one token per patch.`,
  );
}

/** The text that has these tokens and no others. */
function textOf(ids: readonly number[]): string {
  const text = decodeTokens(ids);
  const encoded = encodeText(text);
  const place = ids.findIndex((id, index) => id !== encoded[index]);
  if (place < 0 && ids.length === encoded.length) return text;
  const at = place < 0 ? ids.length : place;
  throw new MicroPromptError(
    `The tokens of the prompt are not those of their text: token ${at} is ${ids[at] ?? 'absent'}, the text '${text.slice(0, 40)}' has ${encoded[at] ?? 'none'} there. Send the token ids of a prompt as the server of the micro model reported them.`,
  );
}

/** A character of UTF-8 has at most so many bytes. */
const MAX_BYTES = 4;

/** The number of tokens of the first character: 1, or its bytes if no token spells it whole. 1 also where the tokens spell no text. */
export function tokensOfFirstCharacter(ids: readonly number[]): number {
  for (let count = 1; count <= MAX_BYTES; count++) {
    const part = ids.slice(0, count);
    if (encodeText(decodeTokens(part)).join() === part.join()) return count;
  }
  return 1;
}

/** The row with its reply. Throws a MicroPromptError. */
export function replyRowOf(prompt: MicroRow, reply: readonly number[]): MicroRow {
  const place = reply.findIndex(id => !Number.isInteger(id) || id < 0 || id >= PIECES.length);
  if (place >= 0)
    throw new MicroPromptError(
      `Token ${place} of the reply is ${reply[place]}; the tokens of the micro model are 0 to ${PIECES.length - 1}. Send the token ids that its server reported.`,
    );
  const length = prompt.entries.length + reply.length;
  if (length > MAX_CONTEXT)
    throw new MicroPromptError(
      `The prompt and the reply have ${length} tokens; the limit is ${MAX_CONTEXT}. Leave the step out, or limit the tokens of a reply.`,
    );
  return rowWith(prompt, reply);
}
