// Arithmetic over boxes (rectangles).

import type { Box } from '../core/screen.ts';

export const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

export const right = (of: Box): number => of.x + of.width;
export const bottom = (of: Box): number => of.y + of.height;
export const isEmpty = (of: Box): boolean => of.width <= 0 || of.height <= 0;
export const area = (of: Box): number => (isEmpty(of) ? 0 : of.width * of.height);

export const inset = (of: Box, by: number): Box =>
  box(of.x + by, of.y + by, of.width - 2 * by, of.height - 2 * by);

export const sameBox = (a: Box, b: Box): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** Empty if the boxes do not intersect. Returns the same object if one box contains the other. */
export function intersection(a: Box, b: Box): Box {
  const endA = a.x + a.width;
  const lowA = a.y + a.height;
  const endB = b.x + b.width;
  const lowB = b.y + b.height;
  if (a.x >= b.x && a.y >= b.y && endA <= endB && lowA <= lowB) return a;
  if (b.x >= a.x && b.y >= a.y && endB <= endA && lowB <= lowA) return b;
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(endA, endB) - x;
  const height = Math.min(lowA, lowB) - y;
  return { x, y, width: Math.max(width, 0), height: Math.max(height, 0) };
}

export const intersects = (a: Box, b: Box): boolean =>
  a.x < right(b) && b.x < right(a) && a.y < bottom(b) && b.y < bottom(a);

/** The smallest box that contains both. */
export function union(a: Box, b: Box): Box {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return box(x, y, Math.max(right(a), right(b)) - x, Math.max(bottom(a), bottom(b)) - y);
}

/** Cuts a hole out of a box: up to four pieces that share no pixel. */
export function subtract(whole: Box, hole: Box): readonly Box[] {
  const cut = intersection(whole, hole);
  if (isEmpty(cut)) return [whole];
  const [end, low] = [right(cut), bottom(cut)];
  const pieces: Box[] = [];
  if (cut.y > whole.y) pieces.push(box(whole.x, whole.y, whole.width, cut.y - whole.y));
  if (bottom(whole) > low) pieces.push(box(whole.x, low, whole.width, bottom(whole) - low));
  if (cut.x > whole.x) pieces.push(box(whole.x, cut.y, cut.x - whole.x, cut.height));
  if (right(whole) > end) pieces.push(box(end, cut.y, right(whole) - end, cut.height));
  return pieces;
}

/** The largest piece of a box that no cover overlaps; undefined if it is fully covered. */
export function largestUncovered(of: Box, covers: readonly Box[]): Box | undefined {
  if (isEmpty(of)) return undefined;
  let pieces: readonly Box[] = [of];
  for (const cover of covers) {
    if (intersects(of, cover)) pieces = pieces.flatMap(piece => subtract(piece, cover));
  }
  let largest = pieces[0];
  for (const piece of pieces) if (largest === undefined || area(piece) > area(largest)) largest = piece;
  return largest;
}
