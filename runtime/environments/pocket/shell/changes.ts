// Compares two scenes and returns the boxes to redraw: outside of them both scenes look the same.

import type { Box } from '../../../core/screen.ts';
import { area, intersection, intersects, isEmpty, sameBox, union } from '../../box.ts';
import type { Item, Layer, Scene } from './scene.ts';

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
