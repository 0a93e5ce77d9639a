// The accessibility elements of a scene: what can be seen of each described widget, and not covered by what is in front.

import type { Box, Element, ElementState } from '../../../contracts/screen.ts';
import { area, box, largestUncovered, overlap, sameBox, touches } from '../box.ts';
import type { Layer, Scene } from './scene.ts';

/** A sliver of this many pixels shows nothing that could be read or pressed. */
const SLIVER = 12;

const NO_STATES: readonly ElementState[] = [];

/** What was read off a layer with the same boxes before it is what would be read again. */
interface Reading {
  /** The screen, and what covered the layer. */
  readonly around: readonly Box[];
  readonly elements: readonly Element[];
}

const readings = new WeakMap<Layer, Reading>();

export function elementsOf(scene: Scene): readonly Element[] {
  const elements: Element[] = [];
  // The wallpaper is as large as the screen; windows may reach beyond it.
  const screen = scene[0]?.box ?? box(0, 0, 0, 0);
  for (const [depth, layer] of scene.entries()) {
    const covers: Box[] = [];
    for (const above of scene.slice(depth + 1)) if (touches(above.box, layer.box)) covers.push(above.box);
    for (const element of read(layer, screen, covers)) elements.push(element);
  }
  return elements;
}

function read(layer: Layer, screen: Box, covers: readonly Box[]): readonly Element[] {
  const known = readings.get(layer);
  const around = [screen, ...covers];
  if (known !== undefined && sameBoxes(known.around, around)) return known.elements;
  const elements: Element[] = [];
  for (const { widget, seen, focused } of layer.items) {
    if (widget.describe === undefined) continue;
    const onScreen = overlap(seen, screen);
    const open = covers.length === 0 ? onScreen : largestUncovered(onScreen, covers);
    if (open === undefined || area(open) < SLIVER) continue;
    const { role, name, value = '', states = NO_STATES } = widget.describe;
    elements.push({ role, name, value, states: focused ? [...states, 'focused'] : states, box: open });
  }
  readings.set(layer, { around, elements });
  return elements;
}

const sameBoxes = (a: readonly Box[], b: readonly Box[]): boolean =>
  a.length === b.length && a.every((each, index) => sameBox(each, b[index] ?? each));
