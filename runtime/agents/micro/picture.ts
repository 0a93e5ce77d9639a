// Turns a picture into patches: squares that begin where a word or an icon begins, so that a word looks the same wherever it is drawn. A
// grid would cut each word at another pixel. Brightness is measured from the background, so that light and dark themes look alike.

import { at } from '../../core/at.ts';
import { decodePng } from '../../core/png-reader.ts';
import type { Box, Pixels } from '../../core/screen.ts';
import { SQUARE, SQUARE_AREA } from '../compact/observation.ts';
import { greySquares } from '../compact/observe-screen.ts';
import { regionsOf, squaresOfRegion } from '../compact/regions.ts';

/** Beyond this number patches are dropped from the end: the bottom of the screen. */
export const MAX_PATCHES = 192;

export interface PatchedPicture {
  readonly width: number;
  readonly height: number;
  readonly patches: readonly PicturePatch[];
  /** SQUARE_AREA bytes for each patch: the distance of each pixel from the background, from 0 to 255. */
  readonly squares: Uint8Array;
}

export interface PicturePatch {
  readonly box: Box;
  /** The number of the phrase, from 0: words of one line of text. */
  readonly phrase: number;
  /** The number of the row of the screen, from 0: everything at one height, such as the cells of a table. */
  readonly row: number;
  /** The width of the region that the patch was cut from. */
  readonly regionWidth: number;
  /** Brightness of the background and its largest difference within the patch, from 0 to 1. */
  readonly background: number;
  readonly contrast: number;
}

/** The largest screen that the model was made for; it bounds the memory of a request. */
const MAX_IMAGE_PIXELS = 1024 * 1024;

/** Throws a PngError. */
export const pictureOfPng = (png: Uint8Array): PatchedPicture => pictureOf(decodePng(png, MAX_IMAGE_PIXELS));

export function pictureOf(pixels: Pixels): PatchedPicture {
  const regions = regionsOf(pixels);
  const [phrases, rows] = [phrasesOf(regions), rowsOf(regions)];
  const cut = regions
    .flatMap((region, index) =>
      squaresOfRegion(region).map(box => ({
        ...{ box, phrase: at(phrases, index), row: at(rows, index), regionWidth: region.width },
      })),
    )
    .slice(0, MAX_PATCHES);
  const squares = greySquares(
    pixels,
    cut.map(({ box }) => box),
  );
  const patches = cut.map((patch, index) => ({
    ...patch,
    ...withoutBackground(squares.subarray(index * SQUARE_AREA, (index + 1) * SQUARE_AREA)),
  }));
  return { width: pixels.width, height: pixels.height, patches, squares };
}

/** Replaces each grey by its distance from the commonest one, stretched to the whole range. */
function withoutBackground(square: Uint8Array): Pick<PicturePatch, 'background' | 'contrast'> {
  const counts = new Uint16Array(256);
  let [background, most] = [0, 0];
  for (const grey of square) {
    const count = (counts[grey] ?? 0) + 1;
    counts[grey] = count;
    if (count > most) [background, most] = [grey, count];
  }
  let contrast = 0;
  for (const grey of square) contrast = Math.max(contrast, Math.abs(grey - background));
  const scale = 255 / Math.max(1, contrast);
  for (let index = 0; index < SQUARE_AREA; index++)
    square[index] = Math.round(Math.abs((square[index] ?? 0) - background) * scale);
  return { background: background / 255, contrast: contrast / 255 };
}

/** Wider gaps separate columns, narrower ones separate words. */
const MAX_WORD_GAP = 9;
/** Lines of text whose middles differ by more are different lines. */
const MAX_LINE_SHIFT = 4;

/** For each region, the number of its phrase: the regions to its left and right with small gaps. */
function phrasesOf(regions: readonly Box[]): readonly number[] {
  const order = regions.map((_, index) => index).sort((a, b) => at(regions, a).x - at(regions, b).x);
  const phrases = new Array<number>(regions.length).fill(0);
  /** The last region of each phrase. */
  const ends: Box[] = [];
  for (const index of order) {
    const region = at(regions, index);
    const found = ends.findIndex(
      end =>
        region.x - (end.x + end.width) <= MAX_WORD_GAP &&
        region.x + region.width > end.x &&
        Math.abs(middle(region) - middle(end)) <= MAX_LINE_SHIFT &&
        region.height <= 2 * SQUARE,
    );
    phrases[index] = found < 0 ? ends.length : found;
    ends[found < 0 ? ends.length : found] = region;
  }
  return phrases;
}

/** For each region, the number of its row: regions whose middles are near that of the row's highest one. */
function rowsOf(regions: readonly Box[]): readonly number[] {
  const order = regions
    .map((_, index) => index)
    .sort((a, b) => middle(at(regions, a)) - middle(at(regions, b)));
  const rows = new Array<number>(regions.length).fill(0);
  let [row, highest] = [-1, Number.NEGATIVE_INFINITY];
  for (const index of order) {
    const height = middle(at(regions, index));
    if (height - highest > MAX_LINE_SHIFT) {
      row += 1;
      highest = height;
    }
    rows[index] = row;
  }
  return rows;
}

const middle = ({ y, height }: Box): number => y + height / 2;
