// The screen of a desktop at one moment: pixels and, if the desktop has an accessibility tree, elements.

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
  /** Row by row from the top left, one byte per channel. Receivers must not write to it. */
  readonly data: Uint8Array;
}

/** A desktop draws its next screen over the pixels of the last one. */
export const copyPixels = (pixels: Pixels): Pixels => ({ ...pixels, data: new Uint8Array(pixels.data) });

/** The states that a policy distinguishes. A desktop maps the states of its accessibility tree to these and drops the others. */
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
  /** The value of a field, slider or cell; '' for other elements. */
  readonly value: string;
  readonly states: readonly ElementState[];
  readonly box: Box;
}

export interface Screen {
  readonly pixels: Pixels;
  /** From back to front. Absent, not empty, if the desktop has no accessibility tree. */
  readonly elements?: readonly Element[];
  /** The task ended the episode by itself, as a game does. The episode counts as finished. Never set on the first screen of an episode. */
  readonly isOver?: true;
}

export const samePoint = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

export const contains = (box: Box, { x, y }: Point): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

/** The middle pixel: the target of an action on the whole box. */
export const centre = (box: Box): Point => ({
  x: Math.floor(box.x + box.width / 2),
  y: Math.floor(box.y + box.height / 2),
});

/** The front element at a point. `elements` are in the order of a screen. */
export const elementAt = (elements: readonly Element[], point: Point): Element | undefined =>
  elements.findLast(({ box }) => contains(box, point));
