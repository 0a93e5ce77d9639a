// What a widget is. Applications describe their windows anew after every action, as widgets over their own state; what is
// drawn, pressed and read aloud all comes from that one description. Widgets keep nothing themselves.

import type { Direction } from '../../../core/action.ts';
import type { Box, ElementState, Point, Size } from '../../../core/screen.ts';
import type { Surface } from '../surface.ts';
import type { Theme } from '../theme.ts';

/** What assistive technology, and an agent, is told of a widget. */
export interface Description {
  readonly role: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly states?: readonly ElementState[];
}

export interface MenuItem {
  readonly name: string;
  readonly enabled?: boolean;
  readonly checked?: boolean;
  /** A line is drawn above it. */
  readonly apart?: boolean;
  readonly shortcut?: string;
  readonly choose: (ui: UiServices) => void;
}

/** What a widget may do beyond its own application. */
export interface UiServices {
  /** Opens a list of choices below a box, or at it when it has no height. */
  popup(items: readonly MenuItem[], at: Box): void;
  focus(key: string): void;
  clipboard: string;
}

export interface PaintContext {
  readonly surface: Surface;
  readonly box: Box;
  readonly theme: Theme;
  readonly focused: boolean;
}

/** A key with what is held, as 'ctrl+s', 'shift+tab' or 'enter'. */
export type KeyStroke = string;

/** What is carried from one widget to another by dragging. */
export interface DragPayload {
  readonly kind: string;
  readonly name: string;
}

export interface EventHandlers {
  press?: ((at: Point, ui: UiServices, box: Box) => void) | undefined;
  double?: ((at: Point, ui: UiServices, box: Box) => void) | undefined;
  /** The choices of a right click. */
  menu?: ((at: Point, box: Box) => readonly MenuItem[]) | undefined;
  /** The pointer went down at one point and was let go at another. */
  drag?: ((from: Point, to: Point, box: Box) => void) | undefined;
  payload?: DragPayload | undefined;
  drop?: ((cargo: DragPayload) => void) | undefined;
  wheel?: ((direction: Direction, notches: number, box: Box) => void) | undefined;
  /** Whether the stroke meant something here. */
  stroke?: ((stroke: KeyStroke, ui: UiServices, box: Box) => boolean) | undefined;
  type?: ((text: string, box: Box) => void) | undefined;
  /** The focus goes elsewhere. */
  leave?: (() => void) | undefined;
}

export interface Widget {
  /** Stable within its window; only what has one can hold the focus. */
  readonly key?: string | undefined;
  /** All that its picture depends on beside its box and the focus. */
  readonly paintKey: string;
  /** Its own painting covers every pixel of its box, so nothing behind it needs to be drawn. */
  readonly opaque?: true | undefined;
  readonly describe?: Description | undefined;
  readonly on?: EventHandlers | undefined;
  /** Share of the room that its row or column has left. */
  readonly grow?: number | undefined;
  readonly measure: (width: number) => Size;
  readonly paint?: ((look: PaintContext) => void) | undefined;
  readonly children?: ((box: Box) => readonly Child[]) | undefined;
}

/**
 * The same widget but for some of it. Each part is named: widgets have many shapes, and to copy a thing of many shapes by '...'
 * takes the engine so long that a whole desktop is noticeably slower.
 */
export const extendWidget = (
  widget: Widget,
  {
    key = widget.key,
    paintKey = widget.paintKey,
    opaque = widget.opaque,
    describe = widget.describe,
    on = widget.on,
    grow = widget.grow,
    measure = widget.measure,
    paint = widget.paint,
    children = widget.children,
  }: Partial<Widget>,
): Widget => ({ key, paintKey, opaque, describe, on, grow, measure, paint, children });

export interface Child {
  readonly widget: Widget;
  readonly box: Box;
  /** What of the child can be seen: less than its box inside a view that scrolls. */
  readonly clip?: Box;
}
