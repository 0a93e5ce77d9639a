// Draws the overlay of the screen: the trail, the next action, a drag in progress, and the elements.

import type { Element, Point } from '../../runtime/protocol/play.ts';
import { context2d } from '../shared/dom.ts';
import { endOf, Pen } from '../shared/pen.ts';
import { entryLabel, type Trail, type TrailEntry } from './trail.ts';
import type { DesktopCanvas } from './view.ts';

export interface Marks {
  readonly trail: Trail;
  /** If false, only the next action is drawn. */
  readonly withTrail: boolean;
  readonly next: TrailEntry | undefined;
  readonly drag: { readonly from: Point; readonly to: Point } | undefined;
  readonly elements: readonly Element[];
  readonly hovered: Element | undefined;
}

export function drawMarks(
  { marks, scale }: DesktopCanvas,
  { trail, withTrail, next, drag, elements, hovered }: Marks,
): void {
  const context = context2d(marks);
  const pen = new Pen(context, scale, window.devicePixelRatio);
  context.clearRect(0, 0, marks.width, marks.height);
  for (const element of elements) pen.box(element.box, element === hovered);
  let at: Point = { x: marks.width / scale / 2, y: marks.height / scale / 2 };
  let below = 0;
  for (const [index, entry] of trail.entries()) {
    const end = endOf(entry.action);
    // An action without a position is labelled below the previous one.
    below = end === undefined || samePoint(end, at) ? below + 1 : 0;
    at = end ?? at;
    if (withTrail) pen.action(entry.action, entryLabel(entry), at, below, `${index + 1}`);
  }
  if (next !== undefined)
    pen.action(next.action, entryLabel(next), endOf(next.action) ?? at, withTrail ? below + 1 : 1, '');
  if (drag !== undefined) pen.arrow(drag.from, drag.to);
}

const samePoint = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;
