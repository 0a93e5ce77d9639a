// Which actions no desktop can perform, and the text that any can type.

import { type Action, pointsOf } from './action.ts';
import type { Size } from './screen.ts';

/** Why the action is not possible on a screen of this size; undefined if it is. */
export function actionError(action: Action, { width, height }: Size): string | undefined {
  const outside = pointsOf(action).find(({ x, y }) => !(x >= 0 && y >= 0 && x < width && y < height));
  if (outside !== undefined)
    return `${action.kind} at (${outside.x}, ${outside.y}) is off the screen of ${width}x${height}; use a point on it`;
  const control = action.kind === 'type' ? [...action.text].find(isControl) : undefined;
  if (control === undefined) return undefined;
  const code = control.charCodeAt(0).toString(16).padStart(4, '0');
  return `type cannot write the control character U+${code}; write printable characters, tabs and line breaks`;
}

/** Line breaks of any system; control characters other than tabs are left out. */
export const typeableText = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\n\t])\p{Cc}/gu, '');

const isControl = (character: string): boolean =>
  character !== '\n' && character !== '\t' && /\p{Cc}/u.test(character);
