// What the script in a page reports, checked and converted to the elements that a policy sees. A hostile page cannot reach that script, but
// it decides the texts.

import * as z from 'zod';
import type { Box, Element } from '../../../core/screen.ts';
import { box, intersection, isEmpty } from '../../box.ts';
import { roleOf, statesOf } from './roles.ts';

/** A page may cut a character into halves. */
const HALF = /\p{Surrogate}/u;
const text = z
  .string()
  .max(2000)
  .overwrite(each => (HALF.test(each) ? each.replaceAll(new RegExp(HALF, 'gu'), '\ufffd') : each));
const listedElement = z.tuple([text, text, text, text, z.int(), z.int(), z.int(), z.int()]);
const path = z.string().regex(/^\d{1,5}(\.\d{1,5}){0,20}$/);
const listedFrame = z.tuple([path, z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]);

/** In JSON. */
export const listedPage = z
  .string()
  .transform((json): unknown => JSON.parse(json))
  .pipe(
    z.object({
      goesOn: z.boolean(),
      elements: z.array(listedElement).max(512),
      frames: z.array(listedFrame).max(256),
    }),
  );

export type ListedPage = z.infer<typeof listedPage>;
export type ListedFrame = ListedPage['frames'][number];

/** `visible` is the part of the page that is on the screen, in its own pixels; `x` and `y` are where the page begins. */
export function elementsFrom({ elements }: ListedPage, visible: Box, x = 0, y = 0): readonly Element[] {
  return elements.flatMap(([role, name, value, states, left, top, right, bottom]): Element[] => {
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
  });
}
