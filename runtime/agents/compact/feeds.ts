// Packs the token rows of several screens into the tensors of one batch. Rows are padded to the longest; `valid` marks real tokens.
// Each distinct word of the batch is spelled once.

import { at } from '../../core/at.ts';
import type { Tensors } from '../../graph/tensor.ts';
import { KINDS } from './action-kinds.ts';
import { type FeedMemory, FRESH } from './feed-memory.ts';
import { SQUARE_AREA } from './observation.ts';
import type { TokenFeatures } from './token-features.ts';
import { FEATURES, FIRST_STATE, FIRST_WAVE, PLACE, SLOTS_OF_WORDS, WAVE_FEATURES } from './token-numbers.ts';
import { squaresOf } from './tokens.ts';
import { knownNumber, LETTERS, numberIn, speakingNumber, spell } from './word-tokenizer.ts';

/** Lengths are rounded up to multiples of this, so that the runtime sees few different shapes. */
const LENGTH_STEP = 8;
const rounded = (length: number): number => Math.ceil(length / LENGTH_STEP) * LENGTH_STEP;

/** Quantisation of relation weights in a byte: 1 / RELATION_STEPS. */
export const RELATION_STEPS = 32;

/**
 * Network inputs of observations, without the recorded choices. `renamed` may replace words of a row (name augmentation, see
 * renaming.ts). The feeds are views of `memory`.
 */
export function feedsOf(
  rows: readonly TokenFeatures[],
  withPixels: boolean,
  renamed: (row: TokenFeatures, index: number) => readonly string[] = ({ lexicon }) => lexicon,
  memory: FeedMemory = FRESH,
): Tensors {
  const [batch, length] = [rows.length, rounded(Math.max(1, ...rows.map(({ count }) => count)))];
  const lexicon = new Map<string, number>();
  const spelled = memory.take('spelled', Int32Array, batch * length * SLOTS_OF_WORDS);
  const sorts = memory.take('sorts', Int32Array, batch * length);
  const places = memory.take('places', Int32Array, batch * length);
  const order = memory.take('order', Int32Array, batch * length);
  const words = memory.take('words', Int32Array, batch);
  const features = memory.take('features', Float32Array, batch * length * FEATURES);
  const relation = memory.take('relation', Uint8Array, batch * length * length);
  // Square 0 is black: tokens without a square use it.
  const squareCount = withPixels ? rows.reduce((sum, row) => sum + squaresOf(row), 1) : 0;
  const squares = memory.take('squares', Uint8Array, SQUARE_AREA * squareCount);
  const square = memory.take('square', Int32Array, batch * length);
  let nextSquare = 1;
  const valid = memory.take('valid', Uint8Array, batch * length);
  const pointable = memory.take('pointable', Uint8Array, batch * length);
  const copyable = memory.take('copyable', Uint8Array, batch * length);
  const sayable = memory.take('sayable', Uint8Array, batch * length * SLOTS_OF_WORDS);
  const longest = rounded(Math.max(1, ...rows.map(row => row.speaking.length)));
  const speaking = memory.take('speaking', Int32Array, batch * longest);
  const kinds = memory.take('kinds', Uint8Array, batch * KINDS.length);

  for (const [index, row] of rows.entries()) {
    const first = index * length;
    sorts.set(row.sorts, first);
    places.set(row.places, first);
    features.set(row.features, first * FEATURES);
    for (let at = first; at < first + row.count; at++) addWaves(features, at * FEATURES);
    valid.fill(1, first, first + row.count);
    pointable.set(row.pointable, first);
    copyable.set(row.copyable, first);
    sayable.set(row.sayable, first * SLOTS_OF_WORDS);
    words[index] = row.words;
    for (let at = 0; at < length; at++) order[first + at] = at;
    kinds.set(validKinds(row), index * KINDS.length);
    // Word 0 of the batch is the empty word.
    const named = renamed(row, index);
    const numbers = named.map(word => numberIn(lexicon, word));
    for (const [place, word] of row.speaking.entries())
      speaking[index * longest + place] = speakingNumber(at(named, word));
    const offset = first * SLOTS_OF_WORDS;
    for (let at = 0; at < row.spelled.length; at++) {
      const number = row.spelled[at] ?? 0;
      if (number > 0) spelled[offset + at] = numbers[number - 1] ?? 0;
    }
    const matrix = index * length * length;
    for (let at = 0; at < row.related.length; at += 3) {
      const place = matrix + (row.related[at] ?? 0) * length + (row.related[at + 1] ?? 0);
      relation[place] = Math.min(
        255,
        (relation[place] ?? 0) + Math.round(RELATION_STEPS * (row.related[at + 2] ?? 0)),
      );
    }
    if (withPixels) {
      squares.set(row.squares, nextSquare * SQUARE_AREA);
      for (let at = 0; at < squaresOf(row); at++) square[first + row.firstSquare + at] = nextSquare++;
    }
  }

  const letters = memory.take('letters', Int32Array, (lexicon.size + 1) * LETTERS);
  const known = memory.take('known', Int32Array, lexicon.size + 1);
  for (const [word, place] of lexicon) {
    spell(word, letters, LETTERS * place);
    known[place] = knownNumber(word);
  }
  return {
    letters: { dtype: 'int32', dims: [lexicon.size + 1, LETTERS], data: letters },
    known: { dtype: 'int32', dims: [lexicon.size + 1], data: known },
    spelled: { dtype: 'int32', dims: [batch, length, SLOTS_OF_WORDS], data: spelled },
    sorts: { dtype: 'int32', dims: [batch, length], data: sorts },
    places: { dtype: 'int32', dims: [batch, length], data: places },
    order: { dtype: 'int32', dims: [batch, length], data: order },
    words: { dtype: 'int32', dims: [batch], data: words },
    features: { dtype: 'float32', dims: [batch, length, FEATURES], data: features },
    relation: { dtype: 'uint8', dims: [batch, length, length], data: relation },
    valid: { dtype: 'uint8', dims: [batch, length], data: valid },
    pointable: { dtype: 'uint8', dims: [batch, length], data: pointable },
    copyable: { dtype: 'uint8', dims: [batch, length], data: copyable },
    sayable: { dtype: 'uint8', dims: [batch, length, SLOTS_OF_WORDS], data: sayable },
    speaking: { dtype: 'int32', dims: [batch, longest], data: speaking },
    kinds: { dtype: 'uint8', dims: [batch, KINDS.length], data: kinds },
    ...(withPixels && {
      squares: { dtype: 'uint8' as const, dims: [nextSquare, SQUARE_AREA], data: squares },
      square: { dtype: 'int32' as const, dims: [batch, length], data: square },
    }),
  };
}

/** Adds the position waves of a token; `at` is the offset of its features. Each wave has twice the frequency of the previous one. */
function addWaves(features: Float32Array, at: number): void {
  if (features[at + PLACE.width] === 0) return;
  const across = Math.PI * (features[at + PLACE.across] ?? 0);
  const down = Math.PI * (features[at + PLACE.down] ?? 0);
  let [sinAcross, cosAcross, sinDown, cosDown] = [
    Math.sin(across),
    Math.cos(across),
    Math.sin(down),
    Math.cos(down),
  ];
  for (let first = at + FIRST_WAVE; first < at + FIRST_STATE; first += WAVE_FEATURES) {
    features[first] = sinAcross;
    features[first + 1] = cosAcross;
    features[first + 2] = sinDown;
    features[first + 3] = cosDown;
    [sinAcross, cosAcross] = [2 * sinAcross * cosAcross, 1 - 2 * sinAcross * sinAcross];
    [sinDown, cosDown] = [2 * sinDown * cosDown, 1 - 2 * sinDown * sinDown];
  }
}

/** Pointing needs a pointable token, a drag needs two, typing needs a copyable token. */
export function validKinds({ pointable, copyable }: TokenFeatures): Uint8Array {
  const count = (flags: Uint8Array) => flags.reduce((sum, flag) => sum + flag, 0);
  const [places, texts] = [count(pointable), count(copyable)];
  return Uint8Array.from(KINDS, kind => {
    if (kind === 'drag') return Number(places > 1);
    if (kind === 'type') return Number(texts > 0);
    if (kind === 'hotkey' || kind === 'wait' || kind === 'finished' || kind === 'fail') return 1;
    return Number(places > 0);
  });
}
