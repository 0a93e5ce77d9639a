// Which token a point on the screen belongs to.

import { contains, type Point } from '../core/screen.ts';
import type { Tokens } from './tokens.ts';

/** How much farther above or below counts than beside: things stand in lines. */
const ACROSS_LINES = 4;
/** Nothing this far away is meant. */
const FAR = 160;

/**
 * The token that a point on the screen belongs to: the front element there, else the nearest patch, by lines first; undefined
 * where there is none.
 */
export function tokenAt(tokens: Tokens, { x, y }: Point): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, FAR];
  for (let token = tokens.count - 1; token >= 0; token--) {
    const at = tokens.meanings[token]?.at;
    if (at === undefined) continue;
    if (at.kind === 'element') {
      if (contains(at.box, { x, y })) return token;
      continue;
    }
    const across = Math.max(at.box.x - x, x - (at.box.x + at.box.width - 1), 0);
    const down = Math.abs(at.box.y + at.box.height / 2 - y);
    const distance = across + ACROSS_LINES * Math.max(0, down - LINE_MIDDLE);
    if (distance < least) [nearest, least] = [token, distance];
  }
  return nearest;
}

/** Middles of lines this close to each other are of one line. */
const LINE_MIDDLE = 3;
