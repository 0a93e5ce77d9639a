// The accessibility elements of a scene: what can be seen of each described widget, and not covered by what is in front.

import type { Box, Element, ElementState } from '../../../core/screen.ts';
import { area, box, intersection, intersects, largestUncovered, sameBox } from '../../box.ts';
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

/** The elements of one scene alone. */
export const elementsOf = (scene: Scene): readonly Element[] => new Reader().read(scene);

/**
 * Reads the scenes of one screen, one after another, and of each only the layers that are others than in the last one. What
 * was read goes with its scene: held by the layer in a WeakMap, it outlives it until the next full collection of garbage.
 */
export class Reader {
  #readings = new Map<Layer, Reading>();

  read(scene: Scene): readonly Element[] {
    const readings = new Map<Layer, Reading>();
    const elements: Element[] = [];
    // The wallpaper is as large as the screen; windows may reach beyond it.
    const screen = scene[0]?.box ?? box(0, 0, 0, 0);
    for (const [depth, layer] of scene.entries()) {
      const around = [screen];
      for (const above of scene.slice(depth + 1))
        if (intersects(above.box, layer.box)) around.push(above.box);
      const known = this.#readings.get(layer);
      const reading =
        known !== undefined && sameBoxes(known.around, around)
          ? known
          : { around, elements: elementsIn(layer, screen, around.slice(1)) };
      readings.set(layer, reading);
      for (const element of reading.elements) elements.push(element);
    }
    this.#readings = readings;
    return elements;
  }
}

function elementsIn(layer: Layer, screen: Box, covers: readonly Box[]): readonly Element[] {
  const elements: Element[] = [];
  for (const { widget, visible, focused } of layer.items) {
    if (widget.describe === undefined) continue;
    const onScreen = intersection(visible, screen);
    const open = covers.length === 0 ? onScreen : largestUncovered(onScreen, covers);
    if (open === undefined || area(open) < SLIVER) continue;
    const { role, name, value = '', states = NO_STATES } = widget.describe;
    elements.push({ role, name, value, states: focused ? [...states, 'focused'] : states, box: open });
  }
  return elements;
}

const sameBoxes = (a: readonly Box[], b: readonly Box[]): boolean =>
  a.length === b.length && a.every((each, index) => sameBox(each, b[index] ?? each));
