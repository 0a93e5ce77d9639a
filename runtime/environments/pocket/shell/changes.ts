// What must be drawn again: the boxes outside of which two scenes look the same.

import type { Box } from '../../../core/screen.ts';
import { area, intersection, intersects, isEmpty, sameBox, union } from '../../box.ts';
import type { Item, Layer, Scene } from './scene.ts';

/** The boxes in which two scenes may differ; nothing where they are the same. */
export function changedBetween(before: Scene, after: Scene): readonly Box[] {
  const changed: Box[] = [];
  for (const layer of after) {
    const old = before[placeOf(layer, before)];
    if (old === undefined) changed.push(layer.box);
    else if (!sameBox(old.box, layer.box)) changed.push(layer.box, old.box);
    else if (old !== layer) addItems(changed, old.painted, layer.painted);
  }
  for (const layer of before) if (placeOf(layer, after) < 0) changed.push(layer.box);
  addPassed(changed, before, after);
  return merged(changed);
}

const placeOf = ({ id }: Layer, scene: Scene): number => scene.findIndex(layer => layer.id === id);

/** Where one layer came in front of another, what both cover is seen of the other one now. */
function addPassed(changed: Box[], before: Scene, after: Scene): void {
  const places = after.map(layer => placeOf(layer, before));
  for (const [index, front] of after.entries()) {
    const place = places[index] ?? -1;
    if (place < 0) continue;
    for (const [below, back] of after.slice(0, index).entries()) {
      if ((places[below] ?? -1) > place) changed.push(intersection(front.box, back.box));
    }
  }
}

/**
 * Items draw one over the other, in order. So what both lists have in the same order looks the same wherever none of
 * the others is: it is enough to draw again where those are that only one of the lists has.
 */
function addItems(changed: Box[], before: readonly Item[], after: readonly Item[]): void {
  let start = 0;
  while (alike(before[start], after[start])) start++;
  let [gone, come] = [before.length, after.length];
  while (gone > start && come > start && alike(before[gone - 1], after[come - 1])) {
    gone--;
    come--;
  }
  let next = start;
  for (const item of before.slice(start, gone)) {
    const twin = twinOf(item, after, next, come);
    if (twin < 0) changed.push(item.visible);
    else {
      while (next < twin) addSeen(changed, after[next++]);
      next = twin + 1;
    }
  }
  while (next < come) addSeen(changed, after[next++]);
}

function twinOf(item: Item, items: readonly Item[], from: number, to: number): number {
  for (let at = from; at < to; at++) if (alike(item, items[at])) return at;
  return -1;
}

function addSeen(changed: Box[], item: Item | undefined): void {
  if (item !== undefined) changed.push(item.visible);
}

/** Places first: they tell two items apart sooner than their looks do. */
const alike = (a: Item | undefined, b: Item | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  sameBox(a.box, b.box) &&
  sameBox(a.visible, b.visible) &&
  a.focused === b.focused &&
  a.widget.paintKey === b.widget.paintKey;

/** Boxes that touch are drawn as one, unless most of that one would be drawn for nothing. */
function merged(boxes: readonly Box[]): readonly Box[] {
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
      // It has grown, and may touch what it passed before.
      at = apart.length;
    }
    apart.push(whole);
  }
  return apart;
}
