// What is drawn over the screen: the trail of actions, the action that comes next, a drag under way, and the elements.

import type { Element, Point } from '../../runtime/protocol/play.ts';
import { drawingOn } from '../shared/dom.ts';
import { endOf, Pen } from '../shared/pen.ts';
import { type Entry, inWords, type Trail } from './trail.ts';
import type { View } from './view.ts';

export interface Marks {
  readonly trail: Trail;
  /** Else only the action that comes next is drawn, where the trail has led. */
  readonly withTrail: boolean;
  readonly next: Entry | undefined;
  readonly drag: { readonly from: Point; readonly to: Point } | undefined;
  readonly elements: readonly Element[];
  readonly hovered: Element | undefined;
}

export function drawMarks(
  { marks, scale }: View,
  { trail, withTrail, next, drag, elements, hovered }: Marks,
): void {
  const context = drawingOn(marks);
  const pen = new Pen(context, scale, window.devicePixelRatio);
  context.clearRect(0, 0, marks.width, marks.height);
  for (const element of elements) pen.box(element.box, element === hovered);
  let at: Point = { x: marks.width / scale / 2, y: marks.height / scale / 2 };
  let below = 0;
  for (const [index, entry] of trail.entries()) {
    const end = endOf(entry.action);
    // What has no place of its own is written below what came before.
    below = end === undefined || samePoint(end, at) ? below + 1 : 0;
    at = end ?? at;
    if (withTrail) pen.action(entry.action, inWords(entry), at, below, `${index + 1}`);
  }
  if (next !== undefined)
    pen.action(next.action, inWords(next), endOf(next.action) ?? at, withTrail ? below + 1 : 1, '');
  if (drag !== undefined) pen.arrow(drag.from, drag.to);
}

const samePoint = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;
