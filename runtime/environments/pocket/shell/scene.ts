// A scene is the content of the screen at one moment: layers from back to front, each a list of widgets with their boxes. It
// finds the widget at a point and redraws parts of itself; changes.ts computes which parts.

import type { Box, Point } from '../../../core/screen.ts';
import { contains } from '../../../core/screen.ts';
import { intersection, intersects, isEmpty, sameBox } from '../../box.ts';
import type { Surface } from '../surface.ts';
import type { Theme } from '../theme.ts';
import type { EventHandlers, Widget } from '../toolkit/widget.ts';

export interface Item {
  readonly widget: Widget;
  readonly box: Box;
  /** The part of the box inside its clip. */
  readonly visible: Box;
  readonly focused: boolean;
}

export interface Layer {
  readonly id: string;
  readonly box: Box;
  /** Parents before their children. */
  readonly items: readonly Item[];
  /** The items that paint. */
  readonly painted: readonly Item[];
  /** A modal dialog is open above: the layer gets no input. */
  readonly blocked: boolean;
}

export type Scene = readonly Layer[];

interface LayerOptions {
  readonly focus?: string | undefined;
  readonly blocked?: boolean;
}

export function layerOf(
  id: string,
  root: Widget,
  area: Box,
  { focus, blocked = false }: LayerOptions = {},
): Layer {
  const items: Item[] = [];
  const painted: Item[] = [];
  const place = (widget: Widget, box: Box, clip: Box): void => {
    const visible = intersection(box, clip);
    if (isEmpty(visible)) return;
    const item = { widget, box, visible, focused: focus !== undefined && widget.key === focus };
    items.push(item);
    if (widget.paint !== undefined) painted.push(item);
    for (const child of widget.children?.(box) ?? []) {
      place(child.widget, child.box, child.clip === undefined ? clip : intersection(clip, child.clip));
    }
  };
  place(root, area, area);
  return { id, box: area, items, painted, blocked };
}

/** Redraws a part of the scene, from back to front, starting with the last opaque item that covers the part. */
export function paint(surface: Surface, scene: Scene, part: Box, theme: Theme): void {
  const first = Math.max(
    0,
    scene.findLastIndex(layer => holds(layer.box, part)),
  );
  const ground =
    scene[first]?.painted.findLastIndex(({ widget, visible }) => widget.opaque && holds(visible, part)) ?? 0;
  surface.within(part, () => {
    for (let index = first; index < scene.length; index++) {
      const layer = scene[index];
      if (layer === undefined || !intersects(layer.box, part)) continue;
      paintItems(surface, layer.painted, index === first ? Math.max(0, ground) : 0, part, theme);
    }
  });
}

function paintItems(surface: Surface, items: readonly Item[], from: number, part: Box, theme: Theme): void {
  for (let index = from; index < items.length; index++) {
    const item = items[index];
    const draw = item?.widget.paint;
    if (item === undefined || draw === undefined || !intersects(item.visible, part)) continue;
    const { box, focused } = item;
    surface.within(item.visible, () => draw.call(item.widget, { surface, box, theme, focused }));
  }
}

const holds = (whole: Box, part: Box): boolean => sameBox(intersection(whole, part), part);

/** The front layer at a point. */
export const layerAt = (scene: Scene, at: Point): Layer | undefined =>
  scene.findLast(layer => contains(layer.box, at));

export type EventNames = readonly (keyof EventHandlers)[];

/** The innermost widget at a point that handles one of some events. */
export function itemAt(layer: Layer | undefined, at: Point, events: EventNames): Item | undefined {
  if (layer === undefined || layer.blocked) return undefined;
  return layer.items.findLast(
    ({ visible, widget }) => contains(visible, at) && events.some(event => widget.on?.[event] !== undefined),
  );
}
