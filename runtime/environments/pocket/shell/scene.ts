// A scene is what the screen shows at one moment: layers from back to front, each a list of placed widgets. From two scenes
// follows what must be drawn again; from one, what is where.

import type { Box, Point } from '../../../contracts/screen.ts';
import { contains } from '../../../contracts/screen.ts';
import { area, around, isEmpty, overlap, sameBox, touches } from '../box.ts';
import type { Surface } from '../surface.ts';
import type { Theme } from '../theme.ts';
import type { Reactions, Widget } from '../toolkit/widget.ts';

export interface Item {
  readonly widget: Widget;
  readonly box: Box;
  /** The part of the box that its surroundings let through. */
  readonly seen: Box;
  readonly focused: boolean;
}

export interface Layer {
  readonly id: string;
  readonly box: Box;
  /** Each before what lies inside it. */
  readonly items: readonly Item[];
  /** Something above must be answered first: nothing here reacts. */
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
  const place = (widget: Widget, box: Box, clip: Box): void => {
    const seen = overlap(box, clip);
    if (isEmpty(seen)) return;
    items.push({ widget, box, seen, focused: focus !== undefined && widget.key === focus });
    for (const child of widget.children?.(box) ?? []) {
      place(child.widget, child.box, child.clip === undefined ? clip : overlap(clip, child.clip));
    }
  };
  place(root, area, area);
  return { id, box: area, items, blocked };
}

const sameItem = (a: Item, b: Item): boolean =>
  a.widget.look === b.widget.look &&
  a.focused === b.focused &&
  sameBox(a.box, b.box) &&
  sameBox(a.seen, b.seen);

/** The boxes in which two scenes may differ; nothing where they are the same. */
export function changedBetween(before: Scene, after: Scene): readonly Box[] {
  const changed: Box[] = [];
  const reordered = shared(before, after) !== shared(after, before);
  for (const layer of after) {
    const old = before.find(each => each.id === layer.id);
    if (old === undefined) changed.push(layer.box);
    else if (reordered || !sameBox(old.box, layer.box)) changed.push(layer.box, old.box);
    else changed.push(...changedItems(old.items, layer.items));
  }
  for (const layer of before) if (!after.some(each => each.id === layer.id)) changed.push(layer.box);
  return merged(changed);
}

/** The layers of one scene that another has too, in order. */
const shared = (scene: Scene, other: Scene): string =>
  scene
    .map(layer => layer.id)
    .filter(id => other.some(layer => layer.id === id))
    .join('\n');

/** Where two lists differ between what they begin with and what they end with alike. */
function changedItems(before: readonly Item[], after: readonly Item[]): readonly Box[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && alike(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && alike(before[before.length - 1 - end], after[after.length - 1 - end]))
    end++;
  const [gone, come] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (gone.length !== come.length) return [...gone, ...come].map(item => item.seen);
  return come.flatMap((item, at) => {
    const was = gone[at];
    if (was === undefined || alike(was, item)) return [];
    return sameBox(was.seen, item.seen) ? [item.seen] : [item.seen, was.seen];
  });
}

const alike = (a: Item | undefined, b: Item | undefined): boolean =>
  a !== undefined && b !== undefined && sameItem(a, b);

/** Boxes that touch are drawn as one, unless most of that one would be drawn for nothing. */
function merged(boxes: readonly Box[]): readonly Box[] {
  const apart: Box[] = [];
  for (const each of boxes) {
    let whole = each;
    for (let at = apart.length - 1; at >= 0; at--) {
      const other = apart[at];
      if (other === undefined || !touches(other, whole)) continue;
      const both = around(whole, other);
      if (area(both) > 1.25 * (area(whole) + area(other))) continue;
      whole = both;
      apart.splice(at, 1);
      // It has grown, and may touch what it passed before.
      at = apart.length;
    }
    apart.push(whole);
  }
  return apart;
}

/** Draws a part of the scene again, from back to front, beginning with the last that covers all of the part. */
export function paint(surface: Surface, scene: Scene, part: Box, theme: Theme): void {
  const first = Math.max(
    0,
    scene.findLastIndex(layer => holds(layer.box, part)),
  );
  const ground =
    scene[first]?.items.findLastIndex(({ widget, seen }) => widget.opaque && holds(seen, part)) ?? 0;
  surface.within(part, () => {
    for (let index = first; index < scene.length; index++) {
      const layer = scene[index];
      if (layer === undefined || !touches(layer.box, part)) continue;
      paintItems(surface, layer.items, index === first ? Math.max(0, ground) : 0, part, theme);
    }
  });
}

function paintItems(surface: Surface, items: readonly Item[], from: number, part: Box, theme: Theme): void {
  for (let index = from; index < items.length; index++) {
    const item = items[index];
    const draw = item?.widget.paint;
    if (item === undefined || draw === undefined || !touches(item.seen, part)) continue;
    const { box, focused } = item;
    surface.within(item.seen, () => draw.call(item.widget, { surface, box, theme, focused }));
  }
}

const holds = (whole: Box, part: Box): boolean => sameBox(overlap(whole, part), part);

/** The front layer at a point. */
export const layerAt = (scene: Scene, at: Point): Layer | undefined =>
  scene.findLast(layer => contains(layer.box, at));

/** The innermost widget at a point that reacts in one of some ways. */
export function itemAt(
  layer: Layer | undefined,
  at: Point,
  ways: readonly (keyof Reactions)[],
): Item | undefined {
  if (layer === undefined || layer.blocked) return undefined;
  return layer.items.findLast(
    ({ seen, widget }) => contains(seen, at) && ways.some(way => widget.on?.[way] !== undefined),
  );
}
