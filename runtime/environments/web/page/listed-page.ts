// What the script in a page reports, checked and converted to the elements that a policy sees. A hostile page cannot reach that script, but
// it decides the texts.

import * as z from 'zod';
import type { Element, Size } from '../../../core/screen.ts';
import { box, intersection, isEmpty } from '../../box.ts';
import { roleOf, statesOf } from './roles.ts';

const text = z.string().max(2000);
const listedElement = z.tuple([text, text, text, text, z.int(), z.int(), z.int(), z.int()]);
const listedFrame = z.tuple([z.int().min(0), z.number(), z.number(), z.number(), z.number()]);

export const listedPage = z.object({
  elements: z.array(listedElement).max(512),
  frames: z.array(listedFrame).max(256),
});

export type ListedPage = z.infer<typeof listedPage>;
export type ListedFrame = ListedPage['frames'][number];

/** Front elements are kept: a table can have thousands of cells. */
const MAX_ELEMENTS = 512;

/** `of` is the visible part of the page, in its own pixels; `x` and `y` are where it is on the screen. */
export function elementsFrom({ elements }: ListedPage, of: Size, x = 0, y = 0): readonly Element[] {
  const visible = box(0, 0, of.width, of.height);
  return elements
    .flatMap(([role, name, value, states, left, top, right, bottom]): Element[] => {
      const at = intersection(box(left, top, right - left, bottom - top), visible);
      if (isEmpty(at)) return [];
      return [
        {
          role: roleOf(role),
          name,
          value: value === name ? '' : value,
          states: statesOf(states),
          box: { ...at, x: at.x + x, y: at.y + y },
        },
      ];
    })
    .slice(-MAX_ELEMENTS);
}
