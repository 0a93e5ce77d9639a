// One row of tokens: the patches of a picture, then the text of the prompt, then the reply. Everything that the network sees of a token
// is computed here from the token and what comes before it, so that a reply costs the same token by token as all at once.

import { at } from '../../core/at.ts';
import type { Size } from '../../core/screen.ts';
import type { PatchedPicture, PicturePatch } from './picture.ts';
import { keyOf, pairKey, ReplySpelling, spellText, tokenKey } from './spelling.ts';
import { encodeText } from './tokenizer.ts';
import { PATCH } from './vocabulary.ts';

export interface MicroPrompt {
  readonly text: string;
  readonly picture?: PatchedPicture | undefined;
}

export interface TokenEntry {
  readonly id: number;
  /** The plain spelling of its word, or ''. */
  readonly word: string;
  readonly place: number;
  /** Tokens with the same line share what they know. */
  readonly line: number;
  /** A token sees the tokens whose order is not above its own: 0 in the prompt, from 1 in the reply. */
  readonly order: number;
  /** The tokens that a reply copies from here: the token itself, or the coordinates of a patch. −1: none. */
  readonly copy: number;
  readonly copyDown: number;
  /** Keys of the previous token and of the previous two: a copy continues behind an equal token. 0: none. */
  readonly afterToken: number;
  readonly afterPair: number;
  /** The same with this token: what a copy looks for. */
  readonly token: number;
  readonly pair: number;
  readonly patch?: PicturePatch;
}

export interface MicroRow {
  readonly entries: readonly TokenEntry[];
  /** The number of entries of the prompt. */
  readonly prompt: number;
  readonly squares: Uint8Array;
  readonly screen: Size | undefined;
}

/** Places within a line of text, then the place of patches, then places in the reply. */
const TEXT_PLACES = 48;
const PATCH_PLACE = TEXT_PLACES;
const FIRST_REPLY_PLACE = PATCH_PLACE + 1;
const REPLY_PLACES = 63;
export const PLACES = FIRST_REPLY_PLACE + REPLY_PLACES;

/** Lines of the text count from 1, phrases of the picture from FIRST_PHRASE. */
const FIRST_PHRASE = 100_000;
const REPLY_LINE = 1_000_000;
const NONE = -1;

export function promptRow({ text, picture }: MicroPrompt): MicroRow {
  const patches = (picture?.patches ?? []).map(patchEntry);
  const { ids, words, lines, places } = spellText(text);
  const texts = ids.map((id, index): TokenEntry => {
    const [previous, secondLast] = [ids[index - 1], ids[index - 2]];
    return {
      ...{ id, word: at(words, index), place: Math.min(at(places, index), TEXT_PLACES - 1) },
      ...{ line: 1 + at(lines, index), order: 0, copy: id, copyDown: NONE },
      afterToken: previous === undefined ? 0 : tokenKey(previous),
      afterPair: previous === undefined || secondLast === undefined ? 0 : pairKey(secondLast, previous),
      token: tokenKey(id),
      pair: previous === undefined ? 0 : pairKey(previous, id),
    };
  });
  const entries = [...patches, ...texts];
  return {
    entries,
    prompt: entries.length,
    squares: picture?.squares ?? new Uint8Array(),
    screen: picture && { width: picture.width, height: picture.height },
  };
}

function patchEntry(patch: PicturePatch): TokenEntry {
  const { x, y } = patchTarget(patch);
  return {
    ...{ id: PATCH, word: '', place: PATCH_PLACE, line: FIRST_PHRASE + patch.phrase, order: 0 },
    ...{ copy: numberToken(x), copyDown: numberToken(y), afterToken: 0, afterPair: 0, token: 0, pair: 0 },
    patch,
  };
}

/** The pixel that a reply names to point at a patch. */
export const patchTarget = ({ box }: PicturePatch): { readonly x: number; readonly y: number } => ({
  x: Math.max(0, Math.floor(box.x + box.width / 2)),
  y: Math.max(0, Math.floor(box.y + box.height / 2)),
});

/** Every coordinate of a small screen is one token. A larger number has none, and is not copied. */
function numberToken(value: number): number {
  const [id, ...more] = encodeText(String(value));
  return id === undefined || more.length > 0 ? NONE : id;
}

/** Extends a prompt by the tokens of a reply, one at a time. */
export class ReplyTokens {
  readonly #spelling = new ReplySpelling();
  #previous: number | undefined;
  #count = 0;

  constructor(prompt: MicroRow) {
    this.#previous = prompt.entries.at(-1)?.id;
  }

  next(id: number): TokenEntry {
    const { word, place } = this.#spelling.add(id);
    const previous = this.#previous;
    this.#previous = id;
    this.#count += 1;
    return {
      ...{ id, word, place: FIRST_REPLY_PLACE + Math.min(place, REPLY_PLACES - 1) },
      ...{ line: REPLY_LINE, order: this.#count, copy: NONE, copyDown: NONE, afterToken: 0, afterPair: 0 },
      token: tokenKey(id),
      pair: previous === undefined ? 0 : pairKey(previous, id),
    };
  }
}

/** The row with a reply whose tokens are known. */
export function rowWith(prompt: MicroRow, reply: readonly number[]): MicroRow {
  const tokens = new ReplyTokens(prompt);
  return { ...prompt, entries: [...prompt.entries, ...reply.map(id => tokens.next(id))] };
}

/** The key for equality: of the word, or of the row of a patch; 0 for none. */
export const equalityKey = ({ word, patch }: TokenEntry): number =>
  patch !== undefined ? keyOf(`row ${patch.row}`) : word === '' ? 0 : keyOf(word);
