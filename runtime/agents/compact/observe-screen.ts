// Turns a screen into the observation of a policy. It reads pixels in place, without a copy of the framebuffer. The episode's
// history comes from episode-memory.ts.

import type { Mode } from '../../core/policy.ts';
import { type Box, centre, contains, type Element, type Pixels, type Screen } from '../../core/screen.ts';
import type { EpisodeMemory } from './episode-memory.ts';
import { type Observation, SQUARE, SQUARE_AREA } from './observation.ts';
import { patchesOf } from './regions.ts';

/** With more elements, the front ones are kept. */
export const MAX_ELEMENTS = 128;

export function observeScreen(
  screen: Screen,
  instruction: string,
  mode: Mode,
  { recent, memory }: EpisodeMemory,
): Observation {
  const { pixels } = screen;
  const { elements, firstElement } = observedElements(screen, mode);
  const patches = mode === 'a11y_tree' ? [] : uncoveredPatches(pixels, elements);
  return {
    mode,
    size: { width: pixels.width, height: pixels.height },
    instruction,
    elements,
    firstElement,
    patches,
    squares: squaresOf(pixels, mode === 'screenshot_a11y_tree' ? elements : [], patches),
    recent,
    memory,
  };
}

/** The elements that the mode allows, at most MAX_ELEMENTS. */
export function observedElements(
  { elements = [] }: Pick<Screen, 'elements'>,
  mode: Mode,
): Pick<Observation, 'elements' | 'firstElement'> {
  const all = mode === 'screenshot' ? [] : elements;
  const firstElement = Math.max(0, all.length - MAX_ELEMENTS);
  return { elements: firstElement > 0 ? all.slice(firstElement) : all, firstElement };
}

/** The element with this role covers every point that no other element covers, whatever its box. */
const BACKGROUND_ROLE = 'desktop';

/** With more patches, the first ones are kept. */
export const MAX_PATCHES = 192;

/** Patches whose centre is in no element. */
function uncoveredPatches(pixels: Pixels, elements: readonly Element[]): readonly Box[] {
  if (elements.some(({ role }) => role === BACKGROUND_ROLE)) return [];
  return patchesOf(pixels)
    .filter(patch => !elements.some(({ box }) => contains(box, centre(patch))))
    .slice(0, MAX_PATCHES);
}

/** One square per element, at its left end where icons and the start of its text are, and one per patch. */
function squaresOf(pixels: Pixels, elements: readonly Element[], patches: readonly Box[]): Uint8Array {
  const squares = new Uint8Array((elements.length + patches.length) * SQUARE_AREA);
  const words = pixelWords(pixels);
  for (const [index, { box }] of elements.entries()) {
    const x = Math.max(box.x - 2, Math.min(box.x, Math.floor(box.x + box.width / 2 - SQUARE / 2)));
    copySquare(pixels, words, x, Math.floor(box.y + box.height / 2 - SQUARE / 2), squares, index);
  }
  for (const [index, { x, y }] of patches.entries())
    copySquare(pixels, words, x, y, squares, elements.length + index);
  return squares;
}

/** One square for each box, from its upper left corner. */
export const greySquares = (pixels: Pixels, boxes: readonly Box[]): Uint8Array =>
  squaresOf(pixels, [], boxes);

/** Copies one square in grey; pixels outside the screen are black. */
function copySquare(
  pixels: Pixels,
  words: Int32Array | undefined,
  x: number,
  y: number,
  into: Uint8Array,
  index: number,
): void {
  const { width, height } = pixels;
  const [left, right] = [Math.max(0, x), Math.min(width, x + SQUARE)];
  const [top, bottom] = [Math.max(0, y), Math.min(height, y + SQUARE)];
  for (let row = top; row < bottom; row++) {
    const to = index * SQUARE_AREA + (row - y) * SQUARE + (left - x);
    if (words === undefined) greyOfBytes(pixels, row * width + left, row * width + right, into, to);
    else greyOfWords(words, row * width + left, row * width + right, into, to);
  }
}

/** RGBA pixels as 32-bit words; undefined for another layout or unaligned data. */
function pixelWords({ layout, data }: Pixels): Int32Array | undefined {
  if (layout !== 'rgba' || data.byteOffset % 4 !== 0) return undefined;
  return new Int32Array(data.buffer, data.byteOffset, data.length >> 2);
}

/** Neighbouring pixels mostly have the same colour: its grey is computed once. */
function greyOfWords(words: Int32Array, from: number, end: number, into: Uint8Array, to: number): void {
  let last = words[from] ?? 0;
  let grey = greyOf(last & 0xff, (last >> 8) & 0xff, (last >> 16) & 0xff);
  for (let at = from; at < end; at++) {
    const word = words[at] ?? 0;
    if (word !== last) {
      last = word;
      grey = greyOf(word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff);
    }
    into[to + at - from] = grey;
  }
}

function greyOfBytes(
  { layout, data }: Pixels,
  from: number,
  end: number,
  into: Uint8Array,
  to: number,
): void {
  const bytes = layout === 'rgba' ? 4 : 3;
  for (let pixel = from; pixel < end; pixel++) {
    const at = pixel * bytes;
    into[to + pixel - from] = greyOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
  }
}

const greyOf = (red: number, green: number, blue: number): number =>
  (77 * red + 150 * green + 29 * blue) >> 8;
