// What a widget is. Applications describe their windows anew after every action, as widgets over their own state; what is
// drawn, pressed and read aloud all comes from that one description. Widgets keep nothing themselves.

import type { Direction } from '../../../contracts/action.ts';
import type { Box, ElementState, Point, Size } from '../../../contracts/screen.ts';
import type { Surface } from '../surface.ts';
import type { Theme } from '../theme.ts';

/** What assistive technology, and an agent, is told of a widget. */
export interface Description {
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly states?: readonly ElementState[];
}

export interface MenuItem {
  readonly name: string;
  readonly enabled?: boolean;
  readonly checked?: boolean;
  /** A line is drawn above it. */
  readonly apart?: boolean;
  readonly shortcut?: string;
  readonly choose: (hands: Hands) => void;
}

/** What a widget may do beyond its own application. */
export interface Hands {
  /** Opens a list of choices below a box, or at it when it has no height. */
  popup(items: readonly MenuItem[], at: Box): void;
  focus(key: string): void;
  clipboard: string;
}

export interface Look {
  readonly surface: Surface;
  readonly box: Box;
  readonly theme: Theme;
  readonly focused: boolean;
}

/** A key with what is held, as 'ctrl+s', 'shift+tab' or 'enter'. */
export type Stroke = string;

/** What is carried from one widget to another by dragging. */
export interface Cargo {
  readonly kind: string;
  readonly name: string;
}

export interface Reactions {
  press?(at: Point, hands: Hands, box: Box): void;
  double?(at: Point, hands: Hands, box: Box): void;
  /** The choices of a right click. */
  menu?(at: Point, box: Box): readonly MenuItem[];
  /** The pointer went down at one point and was let go at another. */
  drag?(from: Point, to: Point, box: Box): void;
  carries?: Cargo;
  drop?(cargo: Cargo): void;
  wheel?(direction: Direction, notches: number, box: Box): void;
  /** Whether the stroke meant something here. */
  stroke?(stroke: Stroke, hands: Hands, box: Box): boolean;
  type?(text: string, box: Box): void;
}

export interface Widget {
  /** Stable within its window; only what has one can hold the focus. */
  readonly key?: string;
  /** All that its picture depends on beside its box and the focus. */
  readonly look: string;
  /** Its own painting covers every pixel of its box, so nothing behind it needs to be drawn. */
  readonly opaque?: true;
  readonly describe?: Description;
  readonly on?: Reactions;
  /** Share of the room that its row or column has left. */
  readonly grow?: number;
  measure(width: number): Size;
  paint?(look: Look): void;
  children?(box: Box): readonly Child[];
}

export interface Child {
  readonly widget: Widget;
  readonly box: Box;
  /** What of the child can be seen: less than its box inside a view that scrolls. */
  readonly clip?: Box;
}
