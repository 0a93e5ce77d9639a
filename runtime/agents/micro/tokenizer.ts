// Splits a text into tokens of the vocabulary and joins them again. The longest piece wins; a character without a piece becomes its
// bytes. Every text comes back unchanged, even one with half a surrogate pair.

import { FIRST_BYTE, FIRST_PIECE, PIECES } from './vocabulary.ts';

/** A node of the trie over the characters of all pieces. */
interface TrieNode {
  readonly next: Map<string, TrieNode>;
  token?: number;
}

const ROOT: TrieNode = { next: new Map() };
for (const [token, piece] of PIECES.entries()) {
  // The characters of one byte are pieces too.
  if (piece === '') continue;
  let node = ROOT;
  for (const unit of piece.split('')) {
    let child = node.next.get(unit);
    if (child === undefined) {
      child = { next: new Map() };
      node.next.set(unit, child);
    }
    node = child;
  }
  node.token ??= token;
}

export interface TextToken {
  readonly id: number;
  /** Position in the text, in UTF-16 units. The tokens of one character share its end. */
  readonly end: number;
}

export function tokenize(text: string): readonly TextToken[] {
  const tokens: TextToken[] = [];
  for (let at = 0; at < text.length; ) {
    const { token, end } = longestPiece(text, at);
    if (token !== undefined) {
      tokens.push({ id: token, end });
      at = end;
      continue;
    }
    const point = text.codePointAt(at) ?? 0;
    at += point > 0xffff ? 2 : 1;
    for (const byte of bytesOfPoint(point)) tokens.push({ id: FIRST_BYTE + byte, end: at });
  }
  return tokens;
}

export const encodeText = (text: string): readonly number[] => tokenize(text).map(({ id }) => id);

function longestPiece(
  text: string,
  from: number,
): { readonly token: number | undefined; readonly end: number } {
  let found: number | undefined;
  let end = from;
  let node: TrieNode | undefined = ROOT;
  for (let at = from; at < text.length; at++) {
    node = node.next.get(text.charAt(at));
    if (node === undefined) break;
    if (node.token === undefined) continue;
    found = node.token;
    end = at + 1;
  }
  return { token: found, end };
}

/** Bytes that spell no character become U+FFFD. Special tokens spell nothing. */
export const decodeTokens = (ids: readonly number[]): string => addedTexts(ids).join('');

/** The text that each token adds. Characters that are split over tokens belong to the last byte in a row. */
export function addedTexts(ids: readonly number[]): readonly string[] {
  let bytes: number[] = [];
  return ids.map((id, index) => {
    const byte = byteOf(id);
    if (byte === undefined) return PIECES[id] ?? '';
    bytes.push(byte);
    const next = ids[index + 1];
    if (next !== undefined && byteOf(next) !== undefined) return '';
    const text = textOfBytes(bytes);
    bytes = [];
    return text;
  });
}

function byteOf(id: number): number | undefined {
  const byte = id - FIRST_BYTE;
  return byte >= 0x80 && id < FIRST_PIECE ? byte : undefined;
}

/** The bytes of a code point in UTF-8; half a surrogate pair is encoded like any other point. */
function bytesOfPoint(point: number): readonly number[] {
  const tail = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), tail(0)];
  if (point < 0x1_0000) return [0xe0 | (point >> 12), tail(6), tail(0)];
  return [0xf0 | (point >> 18), tail(12), tail(6), tail(0)];
}

function textOfBytes(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    const tail = bytes.slice(at + 1, at + length);
    const isWhole = length > 1 && tail.length === length - 1 && tail.every(byte => (byte & 0xc0) === 0x80);
    const point = tail.reduce((sum, byte) => (sum << 6) | (byte & 0x3f), first & (0xff >> (length + 1)));
    // Only the shortest spelling of a point is its own.
    if (isWhole && point <= 0x10_ffff && bytesOfPoint(point).length === length) {
      text += String.fromCodePoint(point);
      at += length;
    } else {
      text += '\uFFFD';
      at += 1;
    }
  }
  return text;
}
