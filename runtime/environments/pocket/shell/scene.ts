// A scene is the content of the screen at one moment: layers from back to front, each a list of widgets with their boxes. It
// finds the widget at a point, redraws parts of itself, and computes the parts in which it differs from another scene.

import { type Box, contains, type Point } from '../../../core/screen.ts';
import { area, intersection, intersects, isEmpty, sameBox, union } from '../../box.ts';
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

/** The boxes in which two scenes may differ. */
export function changedBetween(before: Scene, after: Scene): readonly Box[] {
  const changed: Box[] = [];
  for (const layer of after) {
    const old = before[placeOf(layer, before)];
    if (old === undefined) changed.push(layer.box);
    else if (!sameBox(old.box, layer.box)) changed.push(layer.box, old.box);
    else if (old !== layer) addItems(changed, old.painted, layer.painted);
  }
  for (const layer of before) if (placeOf(layer, after) < 0) changed.push(layer.box);
  addReordered(changed, before, after);
  return mergeBoxes(changed);
}

const placeOf = ({ id }: Layer, scene: Scene): number => scene.findIndex(layer => layer.id === id);

/** A layer that moved in front of another changes the area that both cover. */
function addReordered(changed: Box[], before: Scene, after: Scene): void {
  const layers = after.map(layer => ({ box: layer.box, place: placeOf(layer, before) }));
  const inBoth = layers.filter(({ place }) => place >= 0);
  for (const [index, front] of inBoth.entries()) {
    for (const back of inBoth.slice(0, index))
      if (back.place > front.place) changed.push(intersection(front.box, back.box));
  }
}

/**
 * Items are drawn in order. Items that both lists contain in the same order look the same except where an item of only one
 * list is: only the boxes of those items change.
 */
function addItems(changed: Box[], before: readonly Item[], after: readonly Item[]): void {
  let start = 0;
  while (alike(before[start], after[start])) start++;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && alike(before[endBefore - 1], after[endAfter - 1])) {
    endBefore--;
    endAfter--;
  }
  let next = start;
  for (const item of before.slice(start, endBefore)) {
    const twin = twinOf(item, after, next, endAfter);
    if (twin < 0) changed.push(item.visible);
    else {
      while (next < twin) addVisible(changed, after[next++]);
      next = twin + 1;
    }
  }
  while (next < endAfter) addVisible(changed, after[next++]);
}

function twinOf(item: Item, items: readonly Item[], from: number, to: number): number {
  for (let at = from; at < to; at++) if (alike(item, items[at])) return at;
  return -1;
}

function addVisible(changed: Box[], item: Item | undefined): void {
  if (item !== undefined) changed.push(item.visible);
}

/** Compares boxes first, which is faster than comparing keys. */
const alike = (a: Item | undefined, b: Item | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  sameBox(a.box, b.box) &&
  sameBox(a.visible, b.visible) &&
  a.focused === b.focused &&
  a.widget.paintKey === b.widget.paintKey;

/** Merges boxes that intersect, unless their union is much larger than both. */
function mergeBoxes(boxes: readonly Box[]): readonly Box[] {
  const apart: Box[] = [];
  for (const each of boxes) {
    if (isEmpty(each)) continue;
    let whole = each;
    for (let at = apart.length - 1; at >= 0; at--) {
      const other = apart[at];
      if (other === undefined || !intersects(other, whole)) continue;
      const both = union(whole, other);
      if (area(both) > 1.25 * (area(whole) + area(other))) continue;
      whole = both;
      apart.splice(at, 1);
      // The larger box may intersect boxes that were checked before.
      at = apart.length;
    }
    apart.push(whole);
  }
  return apart;
}
