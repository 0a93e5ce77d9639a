// Turns a screen into what a policy is shown of it. Reads the pixels where they lie, so a desktop can be looked at without a
// copy of its framebuffer. What was done and seen before is told by recollection.ts.

import type { Mode } from '../contracts/policy.ts';
import { type Box, centre, contains, type Element, type Pixels, type Screen } from '../contracts/screen.ts';
import type { Recollection } from './recollection.ts';
import { patchesOf } from './regions.ts';
import { type Seen, SQUARE, SQUARE_AREA } from './seen.ts';

/** Of more elements than these, those in front are kept. */
export const MOST_ELEMENTS = 96;

export function look(
  screen: Screen,
  instruction: string,
  mode: Mode,
  { recent, memory }: Recollection,
): Seen {
  const { pixels } = screen;
  const all = mode === 'screenshot' ? [] : (screen.elements ?? []);
  const firstElement = Math.max(0, all.length - MOST_ELEMENTS);
  const elements = firstElement > 0 ? all.slice(firstElement) : all;
  const patches = mode === 'a11y_tree' ? [] : barePatches(pixels, elements);
  return {
    mode,
    size: { width: pixels.width, height: pixels.height },
    instruction,
    elements,
    firstElement,
    glimpses: mode === 'screenshot_a11y_tree' ? glimpsesOf(pixels, elements) : new Uint8Array(0),
    patches,
    patchPixels: patchPixels(pixels, patches),
    recent,
    memory,
  };
}

/** Stands for every point that nothing else covers, wherever its box is. */
const BACKGROUND = 'desktop';

/** Of more patches than these, the first ones are kept. */
const MOST_PATCHES = 192;

/** What is drawn where no element is. */
function barePatches(pixels: Pixels, elements: readonly Element[]): readonly Box[] {
  if (elements.some(({ role }) => role === BACKGROUND)) return [];
  return patchesOf(pixels)
    .filter(patch => !elements.some(({ box }) => contains(box, centre(patch))))
    .slice(0, MOST_PATCHES);
}

function patchPixels(pixels: Pixels, patches: readonly Box[]): Uint8Array {
  const squares = new Uint8Array(patches.length * SQUARE_AREA);
  for (const [index, { x, y }] of patches.entries()) square(pixels, x, y, squares, index);
  return squares;
}

/** Icons and marks stand at the left end of a thing, and so does the beginning of its text. */
function glimpsesOf(pixels: Pixels, elements: readonly Element[]): Uint8Array {
  const squares = new Uint8Array(elements.length * SQUARE_AREA);
  for (const [index, { box }] of elements.entries()) {
    const x = Math.min(box.x, Math.floor(box.x + box.width / 2 - SQUARE / 2));
    square(pixels, Math.max(box.x - 2, x), Math.floor(box.y + box.height / 2 - SQUARE / 2), squares, index);
  }
  return squares;
}

/** One square in grey; what lies beyond the screen's border is black. */
function square(
  { width, height, layout, data }: Pixels,
  x: number,
  y: number,
  into: Uint8Array,
  index: number,
): void {
  const bytes = layout === 'rgba' ? 4 : 3;
  const [left, right] = [Math.max(0, x), Math.min(width, x + SQUARE)];
  const [top, low] = [Math.max(0, y), Math.min(height, y + SQUARE)];
  for (let row = top; row < low; row++) {
    let to = index * SQUARE_AREA + (row - y) * SQUARE + (left - x);
    const end = (row * width + right) * bytes;
    for (let at = (row * width + left) * bytes; at < end; at += bytes) {
      into[to++] = (77 * (data[at] ?? 0) + 150 * (data[at + 1] ?? 0) + 29 * (data[at + 2] ?? 0)) >> 8;
    }
  }
}
