// Finds the token at a point on the screen.

import { contains, type Point } from '../../core/screen.ts';
import type { Tokens } from './token-features.ts';

/** Weight of vertical distance relative to horizontal distance, since text runs in lines. */
const VERTICAL_WEIGHT = 4;
/** Patches at this distance or farther are ignored. */
const MAX_DISTANCE = 160;

/**
 * The front element at a point, else the nearest patch, preferably of the same line; undefined if there is none.
 */
export function tokenAt(tokens: Tokens, { x, y }: Point): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, MAX_DISTANCE];
  for (let token = tokens.count - 1; token >= 0; token--) {
    const at = tokens.meanings[token]?.at;
    if (at === undefined) continue;
    if (at.kind === 'element') {
      if (contains(at.box, { x, y })) return token;
      continue;
    }
    const horizontal = Math.max(at.box.x - x, x - (at.box.x + at.box.width - 1), 0);
    const vertical = Math.abs(at.box.y + at.box.height / 2 - y);
    const distance = horizontal + VERTICAL_WEIGHT * Math.max(0, vertical - SAME_LINE_DISTANCE);
    if (distance < least) [nearest, least] = [token, distance];
  }
  return nearest;
}

/** Vertical distances up to this count as the same line. */
const SAME_LINE_DISTANCE = 3;
