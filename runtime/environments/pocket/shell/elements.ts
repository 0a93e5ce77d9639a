// The accessibility elements of a scene: the visible part of each described widget that no layer in front covers.

import type { Box, Element, ElementState } from '../../../core/screen.ts';
import { area, box, intersection, intersects, largestUncovered, sameBox } from '../../box.ts';
import type { Layer, Scene } from './scene.ts';

/** Smaller parts are too small to read or press. */
const MIN_VISIBLE_PIXELS = 12;

const NO_STATES: readonly ElementState[] = [];

/** The elements of a layer; valid while the same boxes cover it. */
interface CachedElements {
  /** The screen and the boxes that cover the layer. */
  readonly covers: readonly Box[];
  readonly elements: readonly Element[];
}

/**
 * Reads consecutive scenes of one screen and reuses the elements of unchanged layers. The cache lives for one scene; a
 * WeakMap keyed by layer would keep old layers until the next full garbage collection.
 */
export class ElementReader {
  #cache = new Map<Layer, CachedElements>();

  read(scene: Scene): readonly Element[] {
    const cache = new Map<Layer, CachedElements>();
    const elements: Element[] = [];
    // The wallpaper covers the screen; windows may extend beyond it.
    const screen = scene[0]?.box ?? box(0, 0, 0, 0);
    for (const [depth, layer] of scene.entries()) {
      const covers = [screen];
      for (const above of scene.slice(depth + 1))
        if (intersects(above.box, layer.box)) covers.push(above.box);
      const cached = this.#cache.get(layer);
      const read =
        cached !== undefined && sameBoxes(cached.covers, covers)
          ? cached
          : { covers, elements: elementsIn(layer, screen, covers.slice(1)) };
      cache.set(layer, read);
      for (const element of read.elements) elements.push(element);
    }
    this.#cache = cache;
    return elements;
  }
}

function elementsIn(layer: Layer, screen: Box, covers: readonly Box[]): readonly Element[] {
  const elements: Element[] = [];
  for (const { widget, visible, focused } of layer.items) {
    if (widget.describe === undefined) continue;
    const onScreen = intersection(visible, screen);
    const open = covers.length === 0 ? onScreen : largestUncovered(onScreen, covers);
    if (open === undefined || area(open) < MIN_VISIBLE_PIXELS) continue;
    const { role, name, value = '', states = NO_STATES } = widget.describe;
    elements.push({ role, name, value, states: focused ? [...states, 'focused'] : states, box: open });
  }
  return elements;
}

const sameBoxes = (a: readonly Box[], b: readonly Box[]): boolean =>
  a.length === b.length && a.every((each, index) => sameBox(each, b[index] ?? each));
