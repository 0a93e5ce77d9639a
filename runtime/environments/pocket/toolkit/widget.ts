// The widget interface. After every action an application describes its window as a new tree of widgets over its own state.
// Drawing, input and the accessibility elements all come from that tree. Widgets hold no state.

import type { Direction } from '../../../core/action.ts';
import type { Box, ElementState, Point, Size } from '../../../core/screen.ts';
import type { Surface } from '../surface.ts';
import type { Theme } from '../theme.ts';

/** The accessibility element of a widget. */
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
  /** A separator line is drawn above the item. */
  readonly apart?: boolean;
  readonly shortcut?: string;
  readonly choose: (ui: UiServices) => void;
}

/** Services of the shell for widgets. */
export interface UiServices {
  /** Opens a menu below a box. */
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

/** A key with its modifiers: 'ctrl+s', 'shift+tab' or 'enter'. */
export type KeyStroke = string;

/** The data of a drag and drop between two widgets. */
export interface DragPayload {
  readonly kind: string;
  readonly name: string;
}

export interface EventHandlers {
  press?: ((at: Point, ui: UiServices, box: Box) => void) | undefined;
  double?: ((at: Point, ui: UiServices, box: Box) => void) | undefined;
  /** The third press of a triple click; the first two are `press` and `double`. */
  triple?: ((at: Point, ui: UiServices, box: Box) => void) | undefined;
  /** The items of the context menu. */
  menu?: ((at: Point, box: Box) => readonly MenuItem[]) | undefined;
  /** A drag from one point to another. A widget with a `payload` gets none: its payload is dropped instead. */
  drag?: ((from: Point, to: Point, box: Box) => void) | undefined;
  payload?: DragPayload | undefined;
  drop?: ((payload: DragPayload) => void) | undefined;
  wheel?: ((direction: Direction, notches: number, box: Box) => void) | undefined;
  /** Returns true if the widget handled the key. */
  stroke?: ((stroke: KeyStroke, ui: UiServices, box: Box) => boolean) | undefined;
  type?: ((text: string, box: Box) => void) | undefined;
  /** The widget loses the focus. */
  leave?: (() => void) | undefined;
}

export interface Widget {
  /** Identifies the widget within its window across descriptions. Only a widget with a key can have the focus. */
  readonly key?: string | undefined;
  /** Everything that the picture depends on besides box and focus: two widgets with equal keys look the same. */
  readonly paintKey: string;
  /** `paint` covers every pixel of the box, so nothing below it needs to be drawn. */
  readonly opaque?: true | undefined;
  readonly describe?: Description | undefined;
  readonly on?: EventHandlers | undefined;
  /** Share of the space that is left in its row or column. */
  readonly grow?: number | undefined;
  readonly measure: (width: number) => Size;
  readonly paint?: ((look: PaintContext) => void) | undefined;
  readonly children?: ((box: Box) => readonly ChildWidget[]) | undefined;
}

/**
 * A copy of a widget with some parts replaced. Every part is named, because spreading objects of many shapes is slow in V8
 * and made the whole desktop measurably slower.
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

/** A handler that acts on some keys and passes on the others. */
export const onKeys =
  (keys: readonly KeyStroke[], act: (ui: UiServices, box: Box) => void): EventHandlers['stroke'] =>
  (stroke, ui, box) => {
    const isHandled = keys.includes(stroke);
    if (isHandled) act(ui, box);
    return isHandled;
  };

export interface ChildWidget {
  readonly widget: Widget;
  readonly box: Box;
  /** The visible part of the child; a scrolled view shows less than the box. */
  readonly clip?: Box;
}
