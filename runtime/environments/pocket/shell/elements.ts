// The accessibility elements of a scene: what can be seen of each described widget, and not covered by what is in front.

import type { Element } from '../../../contracts/screen.ts';
import { area, box, largestUncovered, overlap, touches } from '../box.ts';
import type { Scene } from './scene.ts';

/** A sliver of this many pixels shows nothing that could be read or pressed. */
const SLIVER = 12;

export function elementsOf(scene: Scene): readonly Element[] {
  const elements: Element[] = [];
  // The wallpaper is as large as the screen; windows may reach beyond it.
  const screen = scene[0]?.box ?? box(0, 0, 0, 0);
  for (const [depth, layer] of scene.entries()) {
    const above = scene.slice(depth + 1).flatMap(each => (touches(each.box, layer.box) ? [each.box] : []));
    for (const { widget, seen, focused } of layer.items) {
      if (widget.describe === undefined) continue;
      const onScreen = overlap(seen, screen);
      const open = above.length === 0 ? onScreen : largestUncovered(onScreen, above);
      if (open === undefined || area(open) < SLIVER) continue;
      const { role, name, value = '', states = [] } = widget.describe;
      elements.push({ role, name, value, states: focused ? [...states, 'focused'] : states, box: open });
    }
  }
  return elements;
}
