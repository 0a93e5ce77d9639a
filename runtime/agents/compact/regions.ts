// Segments a picture into regions (words, icons, marks) from pixels alone. Pixels that differ from a neighbour are marks; nearby
// marks form a region, which is cut into squares from its left end. So a word looks the same at every position, unlike in a grid.

import { at } from '../../core/at.ts';
import type { Box, Pixels } from '../../core/screen.ts';
import { SQUARE } from './observation.ts';

/** Maximum gap in columns within a region: larger than between letters, smaller than between most words. */
const MAX_GAP = 3;
/** Regions below this width or height are dots or lines and are dropped. */
const MIN_SIDE = 3;

interface Span {
  left: number;
  right: number;
  region: number;
}

interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** The region that this one was merged into. */
  into: number | undefined;
}

/** Squares of all regions, in the order of the regions; the last square of a region may be narrower. */
export const patchesOf = (pixels: Pixels): readonly Box[] => regionsOf(pixels).flatMap(squaresOfRegion);

export function squaresOfRegion({ x, y, width, height }: Box): readonly Box[] {
  const top = Math.floor(y + height / 2 - SQUARE / 2);
  // A tall region, such as a picture, contributes only its upper left corner.
  const from = height > 2 * SQUARE ? y : top;
  const count = height > 2 * SQUARE ? 1 : Math.ceil(width / SQUARE);
  return Array.from({ length: count }, (_, index) => ({
    x: x + index * SQUARE,
    y: from,
    width: Math.min(SQUARE, x + width - (x + index * SQUARE)),
    height: SQUARE,
  }));
}

export function regionsOf(pixels: Pixels): readonly Box[] {
  const { width, height } = pixels;
  const marks = withoutLines(marksOf(pixels), width, height);
  const regions: Region[] = [];
  let above: readonly Span[] = [];
  for (let y = 0; y < height; y++) {
    const row = spansOf(marks, y * width, width);
    let first = 0;
    for (const span of row) {
      while (first < above.length && at(above, first).right < span.left) first++;
      for (let next = first; next < above.length && at(above, next).left <= span.right; next++)
        span.region = merge(regions, span.region, at(above, next).region);
      if (span.region < 0)
        span.region =
          regions.push({ left: span.left, top: y, right: span.right, bottom: y, into: undefined }) - 1;
      grow(at(regions, span.region), span, y);
    }
    above = row;
  }
  return regions
    .filter(
      ({ into, left, right, top, bottom }) =>
        into === undefined && right - left >= MIN_SIDE && bottom - top >= MIN_SIDE,
    )
    .map(({ left, top, right, bottom }) => ({
      x: left,
      y: top,
      width: right - left + 1,
      height: bottom - top + 1,
    }));
}

/** 1 where a pixel differs from the one to its right or below it. */
function marksOf({ width, height, layout, data }: Pixels): Uint8Array {
  if (layout === 'rgba' && data.byteOffset % 4 === 0)
    return marksOfWords(new Int32Array(data.buffer, data.byteOffset, data.length >> 2), width, height);
  const bytes = layout === 'rgba' ? 4 : 3;
  const marks = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * bytes;
      const right = x + 1 < width ? at + bytes : at;
      const below = y + 1 < height ? at + width * bytes : at;
      for (let channel = 0; channel < 3; channel++) {
        const value = data[at + channel];
        if (value === data[right + channel] && value === data[below + channel]) continue;
        marks[y * width + x] = 1;
        break;
      }
    }
  }
  return marks;
}

/** The same for aligned pixels of four bytes, all channels at once. */
function marksOfWords(words: Int32Array, width: number, height: number): Uint8Array {
  const marks = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const down = y + 1 < height ? width : 0;
    const end = (y + 1) * width - 1;
    for (let at = y * width; at <= end; at++) {
      const word = words[at] ?? 0;
      const differs = (word ^ (words[at < end ? at + 1 : at] ?? 0)) | (word ^ (words[at + down] ?? 0));
      // The bytes in memory are red, green, blue, alpha; alpha is the highest byte of a word.
      if ((differs & 0xff_ffff) !== 0) marks[at] = 1;
    }
  }
  return marks;
}

/** Removes straight lines longer than MAX_STROKE: edges of surfaces and frames. */
function withoutLines(marks: Uint8Array, width: number, height: number): Uint8Array {
  const kept = marks.slice();
  const clear = (first: number, count: number, step: number) => {
    let run = 0;
    for (let index = 0; index <= count; index++) {
      const marked = index < count && marks[first + index * step] === 1;
      if (marked) run += 1;
      else {
        if (run > MAX_STROKE) for (let back = 1; back <= run; back++) kept[first + (index - back) * step] = 0;
        run = 0;
      }
    }
  };
  for (let y = 0; y < height; y++) clear(y * width, width, 1);
  for (let x = 0; x < width; x++) clear(x, height, width);
  return kept;
}

/** Longest straight stroke of a letter, in pixels. */
const MAX_STROKE = 18;

/** The marks of a row as spans; gaps up to MAX_GAP are bridged. */
function spansOf(marks: Uint8Array, offset: number, width: number): readonly Span[] {
  const spans: Span[] = [];
  let last: Span | undefined;
  for (let x = 0; x < width; x++) {
    if (marks[offset + x] === 0) continue;
    if (last !== undefined && x - last.right <= MAX_GAP + 1) last.right = x;
    else {
      last = { left: x, right: x, region: -1 };
      spans.push(last);
    }
  }
  return spans;
}

function merge(regions: Region[], one: number, other: number): number {
  const [a, b] = [one < 0 ? one : root(regions, one), other < 0 ? other : root(regions, other)];
  if (a < 0 || a === b) return b;
  if (b < 0) return a;
  const [kept, gone] = [at(regions, a), at(regions, b)];
  kept.left = Math.min(kept.left, gone.left);
  kept.top = Math.min(kept.top, gone.top);
  kept.right = Math.max(kept.right, gone.right);
  kept.bottom = Math.max(kept.bottom, gone.bottom);
  gone.into = a;
  return a;
}

function root(regions: readonly Region[], region: number): number {
  let found = region;
  for (let next = regions[found]?.into; next !== undefined; next = regions[found]?.into) found = next;
  return found;
}

function grow(region: Region, { left, right }: Span, y: number): void {
  region.left = Math.min(region.left, left);
  region.right = Math.max(region.right, right);
  region.bottom = Math.max(region.bottom, y);
}
