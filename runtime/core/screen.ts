// What can be seen of a desktop at one moment: its pixels and, where an accessibility tree is to be had, its elements.
// It does not say how the policy reads a screen (that is its observation) nor how a screen is stored.

/** Integer pixels; (0, 0) is the top left corner of the screen. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Covers x ≤ column < x + width and y ≤ row < y + height, so that boxes side by side share no pixel. */
export interface Box extends Point, Size {}

export interface Pixels extends Size {
  readonly layout: 'rgb' | 'rgba';
  /** Row by row from the top left, one byte a channel. Whoever receives it does not write to it. */
  readonly data: Uint8Array;
}

/** States a policy can tell apart. A desktop maps what its own accessibility tree says onto these and drops the rest. */
export type ElementState =
  | 'checked'
  | 'disabled'
  | 'editable'
  | 'expanded'
  | 'focused'
  | 'pressed'
  | 'selected';

export interface Element {
  readonly role: string;
  readonly name: string;
  /** What a field, a slider or a cell holds; '' where there is no such thing. */
  readonly value: string;
  readonly states: readonly ElementState[];
  readonly box: Box;
}

export interface Screen {
  readonly pixels: Pixels;
  /** From back to front. Absent, and not empty, where the desktop has no accessibility tree. */
  readonly elements?: readonly Element[];
}

export const samePoint = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

export const contains = (box: Box, { x, y }: Point): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

/** The pixel in the middle: the one to act on when the whole box is meant. */
export const centre = (box: Box): Point => ({
  x: Math.floor(box.x + box.width / 2),
  y: Math.floor(box.y + box.height / 2),
});

/** Of elements in the order of a screen's list, the front one at a point. */
export const elementAt = (elements: readonly Element[], point: Point): Element | undefined =>
  elements.findLast(({ box }) => contains(box, point));
