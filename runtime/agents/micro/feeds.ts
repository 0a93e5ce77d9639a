// Packs rows into the tensors of one batch. Rows are padded at their end; padding is seen by no token.

import type { Tensor, TensorData, Tensors } from '../../graph/tensor.ts';
import { tensor } from '../../graph/tensor.ts';
import { SQUARE_AREA } from '../compact/observation.ts';
import { LETTERS, numberIn, spell } from '../compact/word-tokenizer.ts';
import { equalityKey, type MicroRow, type TokenEntry } from './row.ts';
import { PADDING } from './vocabulary.ts';

/** Lengths are rounded up to multiples of this, so that the runtime sees few different shapes. */
const LENGTH_STEP = 16;

/** Position features: the box and waves of its middle, then brightness and contrast. */
const WAVES = 5;
export const PATCH_FEATURES = 4 + 4 * WAVES + 2;

/** The order of padding. */
const NEVER = 2 ** 30;

/** A row whose reply is known, and the weight of each of its tokens in the loss: −Σ weight · log p. */
export interface WeightedRow {
  readonly row: MicroRow;
  /** One weight for each token of the reply; a negative one makes the token less likely. */
  readonly weights: readonly number[];
}

export const roundedLength = (length: number): number =>
  Math.max(LENGTH_STEP, Math.ceil(length / LENGTH_STEP) * LENGTH_STEP);

/** The feeds of the tokens themselves. */
export function tokenFeeds(rows: readonly MicroRow[], length: number): Tensors {
  const batch = rows.length;
  const size = batch * length;
  const ints = () => new Int32Array(size);
  const [tokens, words, places, square] = [ints(), ints(), ints(), ints()];
  const features = new Float32Array(size * PATCH_FEATURES);
  const lexicon = new Map<string, number>();
  // Square 0 is empty: tokens without a patch use it.
  const squareCount = rows.reduce((sum, { squares }) => sum + squares.length / SQUARE_AREA, 1);
  const squares = new Uint8Array(squareCount * SQUARE_AREA);
  let nextSquare = 1;
  for (const [index, row] of rows.entries()) {
    squares.set(row.squares, nextSquare * SQUARE_AREA);
    for (const [at, entry] of row.entries.entries()) {
      const to = index * length + at;
      tokens[to] = entry.id;
      places[to] = entry.place;
      // Word 0 is the empty word.
      if (entry.word !== '') words[to] = numberIn(lexicon, entry.word);
      if (entry.patch === undefined) continue;
      square[to] = nextSquare + at;
      setFeatures(features, to * PATCH_FEATURES, row, entry);
    }
    nextSquare += row.squares.length / SQUARE_AREA;
  }
  const letters = new Int32Array((lexicon.size + 1) * LETTERS);
  for (const [word, number] of lexicon) spell(word, letters, number * LETTERS);
  return {
    tokens: matrix(tokens, batch, length),
    places: matrix(places, batch, length),
    words: matrix(words, batch, length),
    letters: matrix(letters, lexicon.size + 1, LETTERS),
    square: matrix(square, batch, length),
    squares: tensor('uint8', [squareCount, SQUARE_AREA], squares),
    features: tensor('float32', [batch, length, PATCH_FEATURES], features),
  };
}

function setFeatures(into: Float32Array, from: number, { screen }: MicroRow, { patch }: TokenEntry): void {
  if (patch === undefined || screen === undefined) return;
  const { box, background, contrast } = patch;
  const [across, down] = [(box.x + box.width / 2) / screen.width, (box.y + box.height / 2) / screen.height];
  const numbers = [across, down, box.width / screen.width, box.height / screen.height];
  for (let wave = 0; wave < WAVES; wave++) {
    const turns = 2 * Math.PI * 2 ** wave;
    numbers.push(Math.sin(turns * across), Math.cos(turns * across));
    numbers.push(Math.sin(turns * down), Math.cos(turns * down));
  }
  into.set([...numbers, background, contrast], from);
}

/** How tokens relate: who sees whom, equal words, one line. Padding has the order NEVER. */
export function relationFeeds(
  rows: readonly (readonly TokenEntry[])[],
  length: number,
  prefix = '',
): Tensors {
  const column = columns(rows, length);
  return {
    [`${prefix}order`]: column(({ order }) => order, NEVER),
    [`${prefix}equal`]: column(equalityKey, 0),
    [`${prefix}line`]: column(({ line }) => line, 0),
  };
}

/** What a reply may copy, and where a copy continues. */
export function copyFeeds(rows: readonly (readonly TokenEntry[])[], length: number): Tensors {
  const column = columns(rows, length);
  return {
    copy: column(({ copy }) => copy, -1),
    copyDown: column(({ copyDown }) => copyDown, -1),
    afterToken: column(({ afterToken }) => afterToken, 0),
    afterPair: column(({ afterPair }) => afterPair, 0),
  };
}

const columns =
  (rows: readonly (readonly TokenEntry[])[], length: number) =>
  (read: (entry: TokenEntry) => number, padding: number): Tensor => {
    const numbers = new Int32Array(rows.length * length).fill(padding);
    for (const [index, entries] of rows.entries())
      for (const [at, entry] of entries.entries()) numbers[index * length + at] = read(entry);
    return matrix(numbers, rows.length, length);
  };

/** All feeds of rows whose replies are known: the training and assessing programs take them. */
export function replyFeeds(rows: readonly WeightedRow[]): Tensors {
  const all = rows.map(({ row }) => row);
  const entries = all.map(row => row.entries);
  const length = roundedLength(Math.max(0, ...entries.map(each => each.length)));
  const most = Math.max(1, ...all.map(row => row.entries.length - row.prompt));
  const ints = () => new Int32Array(rows.length * most);
  const [at, target, token, pair, weights] = [
    ints(),
    ints(),
    ints(),
    ints(),
    new Float32Array(rows.length * most),
  ];
  target.fill(PADDING);
  for (const [index, { row, weights: own }] of rows.entries()) {
    // Padding repeats the last token of the prompt, with weight 0.
    at.fill(index * length + row.prompt - 1, index * most, (index + 1) * most);
    for (let step = 0; step < row.entries.length - row.prompt; step++) {
      const to = index * most + step;
      const [current, chosen] = [row.entries[row.prompt - 1 + step], row.entries[row.prompt + step]];
      at[to] = index * length + row.prompt - 1 + step;
      target[to] = chosen?.id ?? PADDING;
      token[to] = current?.token ?? 0;
      pair[to] = current?.pair ?? 0;
      weights[to] = own[step] ?? 0;
    }
  }
  return {
    ...tokenFeeds(all, length),
    ...relationFeeds(entries, length),
    ...copyFeeds(entries, length),
    position: positions(rows.length, length),
    ...readingFeeds(at, token, pair, rows.length, most),
    target: matrix(target, rows.length, most),
    weight: tensor('float32', [rows.length, most], weights),
  };
}

/** The tokens whose successors are predicted: their flat positions, and what a copy looks for. */
export const readingFeeds = (
  at: Int32Array<ArrayBuffer>,
  token: Int32Array<ArrayBuffer>,
  pair: Int32Array<ArrayBuffer>,
  batch: number,
  most: number,
): Tensors => ({
  at: matrix(at, batch, most),
  token: matrix(token, batch, most),
  pair: matrix(pair, batch, most),
});

/** 0, 1, 2 … in each row. */
export const positions = (batch: number, length: number): Tensor =>
  matrix(
    Int32Array.from({ length: batch * length }, (_, index) => index % length),
    batch,
    length,
  );

const matrix = (numbers: TensorData, rows: number, columns: number): Tensor =>
  tensor('int32', [rows, columns], numbers);
