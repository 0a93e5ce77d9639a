// Converts the tree of the hub to the elements that a policy sees: visible ones only, in the policy's pixels, from back to front. Pure. A
// node that is "showing" need not be visible: covered windows still report all their nodes.

import type { Box, Element, Size } from '../../core/screen.ts';
import { hasTextOnly, isContainer, roleOf, statesOf } from '../atk-roles.ts';
import { area, box, intersection, intersects, isEmpty, largestUncovered } from '../box.ts';
import { boxOf, type ElementNode, type ElementTree } from './hub.ts';

/** Smaller pieces (in pixels) show nothing to read or press. */
const MIN_AREA = 12;
/** Front elements are kept: a table can have thousands of cells. */
const MAX_ELEMENTS = 512;
/** Characters of a name or a value; a policy reads the first ones. */
const MAX_CHARACTERS = 2000;

/** `screen` is the size of the desktop; `size` is what the policy sees. */
export function elementsOf(tree: ElementTree, screen: Size, size: Size): readonly Element[] {
  const desktop = box(0, 0, screen.width, screen.height);
  const nodes = groupByWindow(tree.nodes);
  const boxes = tree.windows.map(window => boxOf(window.box));
  const elements: Element[] = [];
  for (const [index, { xid, inner }] of tree.windows.entries()) {
    const covers = boxes.slice(index + 1);
    const window = intersection(boxOf(inner), desktop);
    for (const { node, visible } of clipToParents(nodes.get(xid) ?? [], window)) {
      const uncovered = largestUncovered(
        visible,
        covers.filter(cover => intersects(cover, visible)),
      );
      const element = uncovered && elementOf(node, scale(uncovered, screen, size));
      if (element !== undefined) elements.push(element);
    }
  }
  return elements.slice(-MAX_ELEMENTS);
}

function groupByWindow(nodes: readonly ElementNode[]): ReadonlyMap<number, readonly ElementNode[]> {
  const groups = new Map<number, ElementNode[]>();
  for (const node of nodes) {
    const group = groups.get(node.w);
    if (group === undefined) groups.set(node.w, [node]);
    else group.push(node);
  }
  return groups;
}

/** The part of each node that lies within its parents. Nodes are in depth-first order. */
function clipToParents(nodes: readonly ElementNode[], window: Box) {
  const parents: { readonly depth: number; readonly box: Box }[] = [];
  const clipped: { readonly node: ElementNode; readonly visible: Box }[] = [];
  for (const node of nodes) {
    while ((parents.at(-1)?.depth ?? -1) >= node.depth) parents.pop();
    const visible = intersection(boxOf(node.box), parents.at(-1)?.box ?? window);
    parents.push({ depth: node.depth, box: visible });
    if (!isEmpty(visible)) clipped.push({ node, visible });
  }
  return clipped;
}

function elementOf(node: ElementNode, at: Box): Element | undefined {
  if (area(at) < MIN_AREA || isContainer(node.role)) return undefined;
  // Menus pad their shortcuts with blanks.
  const name = node.name.trim().slice(0, MAX_CHARACTERS);
  const value = node.value.slice(0, MAX_CHARACTERS);
  const role = roleOf(node.role, node.states, at.height);
  if (hasTextOnly(role) && name === '' && value === '') return undefined;
  // A value that equals the name carries no information.
  return { role, name, value: value === name ? '' : value, states: statesOf(node.states), box: at };
}

/** Rounds both edges down, so that the centre of every pixel of the smaller box lies in the larger one. */
function scale(of: Box, from: Size, to: Size): Box {
  const [across, down] = [to.width / from.width, to.height / from.height];
  const [x, y] = [Math.floor(of.x * across), Math.floor(of.y * down)];
  const [right, bottom] = [Math.floor((of.x + of.width) * across), Math.floor((of.y + of.height) * down)];
  return box(x, y, right - x, bottom - y);
}
