// The elements of a screen, of what the hub tells: only what can be seen, in the policy's pixels, from back to front. "Showing" in
// a tree does not mean visible: windows that lie behind others still tell all they have. Pure.

import type { Box, Element, Size } from '../../core/screen.ts';
import { area, box, intersection, intersects, isEmpty, largestUncovered } from '../box.ts';
import type { ElementNode, ElementTree } from './hub.ts';
import { ARRANGES, roleOf, statesOf, WORDS_ONLY } from './roles.ts';

/** A sliver of this many pixels shows nothing that could be read or pressed. */
const SLIVER = 12;
/** Of more elements than these, those in front are kept: a table can have thousands of cells. */
const MOST_ELEMENTS = 512;
/** Letters of a name or a value that are kept; a policy reads the first ones. */
const MOST_LETTERS = 2000;

/** `screen` is the desktop's own size; `size` that in which a policy sees it. */
export function elementsOf(tree: ElementTree, screen: Size, size: Size): readonly Element[] {
  const onScreen = box(0, 0, screen.width, screen.height);
  const windows = tree.windows.map(window => ({
    xid: window.xid,
    box: boxOf(window.box),
    inner: boxOf(window.inner),
  }));
  const nodes = byWindow(tree.nodes);
  const elements: Element[] = [];
  for (const [index, window] of windows.entries()) {
    const covers = windows.slice(index + 1).map(above => above.box);
    const within = intersection(window.inner, onScreen);
    for (const { node, seen } of clipped(nodes.get(window.xid) ?? [], within)) {
      const open = largestUncovered(
        seen,
        covers.filter(cover => intersects(cover, seen)),
      );
      const element = open && elementOf(node, scaled(open, screen, size));
      if (element !== undefined) elements.push(element);
    }
  }
  return elements.slice(-MOST_ELEMENTS);
}

function byWindow(nodes: readonly ElementNode[]): ReadonlyMap<number, readonly ElementNode[]> {
  const groups = new Map<number, ElementNode[]>();
  for (const node of nodes) {
    const group = groups.get(node.w);
    if (group === undefined) groups.set(node.w, [node]);
    else group.push(node);
  }
  return groups;
}

interface Seen {
  readonly node: ElementNode;
  readonly seen: Box;
}

/** What is seen of each node of one window: nothing reaches beyond what it is in. */
function clipped(nodes: readonly ElementNode[], window: Box): readonly Seen[] {
  const above: { readonly depth: number; readonly box: Box }[] = [];
  const all: Seen[] = [];
  for (const node of nodes) {
    while ((above.at(-1)?.depth ?? -1) >= node.depth) above.pop();
    const seen = intersection(boxOf(node.box), above.at(-1)?.box ?? window);
    above.push({ depth: node.depth, box: seen });
    if (!isEmpty(seen)) all.push({ node, seen });
  }
  return all;
}

function elementOf(node: ElementNode, at: Box): Element | undefined {
  // Menus set their shortcuts apart with blanks, which nobody sees.
  const name = node.name.trim().slice(0, MOST_LETTERS);
  const value = node.value.slice(0, MOST_LETTERS);
  if (area(at) < SLIVER || ARRANGES.has(node.role)) return undefined;
  const role = roleOf(node.role, node.states, at.height);
  if (WORDS_ONLY.has(role) && name === '' && value === '') return undefined;
  // What repeats its name as its value says it once.
  return { role, name, value: value === name ? '' : value, states: statesOf(node.states), box: at };
}

const boxOf = ([x, y, width, height]: ElementNode['box']): Box => box(x, y, width, height);

/** Both edges are rounded down: then the middle of every pixel of the smaller box lies in the larger one. */
function scaled(of: Box, from: Size, to: Size): Box {
  const [across, down] = [to.width / from.width, to.height / from.height];
  const [x, y] = [Math.floor(of.x * across), Math.floor(of.y * down)];
  const [end, low] = [Math.floor((of.x + of.width) * across), Math.floor((of.y + of.height) * down)];
  return box(x, y, end - x, low - y);
}
