// Converts the tree of the hub to the elements that an agent sees: visible ones only, in the agent's pixels, from back to front. Pure. A
// node that is "showing" need not be visible: covered windows still report all their nodes.

import type { Box, Element, Size } from '../../core/screen.ts';
import { hasTextOnly, isContainer, roleOf, statesOf } from '../atk-roles.ts';
import { area, box, intersection, intersects, isEmpty, largestUncovered } from '../box.ts';
import { boxOf, type ElementNode, type ElementTree } from './element-tree.ts';
import { DEFAULT_SCALE, firstBehind } from './screen-size.ts';

/** Smaller pieces show nothing to read or press. In pixels of half the desktop's width and height, whatever the agent sees. */
const MIN_AREA = 12;
/** A spreadsheet can have thousands of empty cells. */
const MAX_WITH_REMOTE_CELLS = 128;
export const MAX_ELEMENTS = 512;
/** Characters of a name or a value; a policy reads the first ones. */
const MAX_CHARACTERS = 2000;

/** `size` is what the agent sees; one of its pixels covers `scale` × `scale` pixels of the desktop. */
export function elementsOf(tree: ElementTree, size: Size, scale: number): readonly Element[] {
  const elements: Element[] = [];
  for (const { node, uncovered } of visibleNodes(tree, {
    width: size.width * scale,
    height: size.height * scale,
  })) {
    const element = elementOf(node, uncovered, scale);
    if (element !== undefined) elements.push(element);
  }
  return withinLimit(elements);
}

/**
 * With many elements, empty cells that touch no filled or focused cell are dropped. With too many, other empty cells are dropped, and then
 * the elements at the back. The last cells are dropped first, since a table is filled from its start.
 */
function withinLimit(elements: readonly Element[]): readonly Element[] {
  const isUsed = (each: Element): boolean =>
    each.role === 'cell' && (each.value !== '' || each.states.includes('focused'));
  const used = elements.filter(isUsed).map(cell => around(cell.box));
  const isRemote = (each: Element): boolean =>
    isEmptyCell(each) && !used.some(area => intersects(area, each.box));
  const near = withoutLast(elements, elements.length - MAX_WITH_REMOTE_CELLS, isRemote);
  return withoutLast(near, near.length - MAX_ELEMENTS, isEmptyCell).slice(-MAX_ELEMENTS);
}

const isEmptyCell = ({ role, value }: Element): boolean => role === 'cell' && value === '';

const around = ({ x, y, width, height }: Box): Box => box(x - 1, y - 1, width + 2, height + 2);

/** Drops up to `count` of the elements that may be dropped, the last ones first. */
function withoutLast(
  elements: readonly Element[],
  count: number,
  mayDrop: (element: Element) => boolean,
): readonly Element[] {
  let left = count;
  if (left <= 0) return elements;
  return elements
    .toReversed()
    .filter(each => {
      const isDropped = left > 0 && mayDrop(each);
      if (isDropped) left -= 1;
      return !isDropped;
    })
    .reverse();
}

export interface VisibleNode {
  readonly node: ElementNode;
  /** The largest part that no window covers, in pixels of the desktop. */
  readonly uncovered: Box;
}

/** The nodes of which something can be seen, window after window from back to front. */
export function visibleNodes(tree: ElementTree, { width, height }: Size): readonly VisibleNode[] {
  const desktop = box(0, 0, width, height);
  const nodes = groupByWindow(tree.nodes);
  const boxes = tree.windows.map(window => boxOf(window.box));
  const found: VisibleNode[] = [];
  for (const [index, { xid, inner }] of tree.windows.entries()) {
    const covers = boxes.slice(index + 1);
    const window = intersection(boxOf(inner), desktop);
    for (const { node, visible } of clipToParents((nodes.get(xid) ?? []).map(withTextRole), window)) {
      const uncovered = largestUncovered(
        visible,
        covers.filter(cover => intersects(cover, visible)),
      );
      if (uncovered !== undefined) found.push({ node, uncovered });
    }
  }
  return found;
}

/** A section of a mail or a page that has text and no parts is a line or a paragraph. */
function withTextRole(node: ElementNode, index: number, all: readonly ElementNode[]): ElementNode {
  const isText =
    node.role === 'section' && node.value.trim() !== '' && (all[index + 1]?.depth ?? 0) <= node.depth;
  return isText ? { ...node, role: 'paragraph', value: node.value.trim() } : node;
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
    let parent = parents.at(-1);
    while (parent !== undefined && parent.depth >= node.depth) {
      parents.pop();
      parent = parents.at(-1);
    }
    const visible = intersection(boxOf(node.box), parent?.box ?? window);
    parents.push({ depth: node.depth, box: visible });
    if (!isEmpty(visible)) clipped.push({ node, visible });
  }
  return clipped;
}

/** Role and states are those of ATK. */
interface AtkNode {
  readonly role: string;
  readonly name: string;
  readonly value: string;
  readonly states: readonly string[];
}

/** Undefined for a node that shows nothing to read or press. `uncovered` is in pixels of the desktop. */
export function elementOf(node: AtkNode, uncovered: Box, scale: number): Element | undefined {
  const half = scaledBox(uncovered, DEFAULT_SCALE);
  const at = scale === DEFAULT_SCALE ? half : scaledBox(uncovered, scale);
  if (area(half) < MIN_AREA || isEmpty(at) || isContainer(node.role)) return undefined;
  // Menus pad their shortcuts with blanks.
  const name = node.name.trim().slice(0, MAX_CHARACTERS);
  // Blanks alone show nothing to read. The XML of a guest also has them between its tags.
  const value = node.value.trim() === '' ? '' : node.value.slice(0, MAX_CHARACTERS);
  // One line of a large screen is as high as several of a small one.
  const role = roleOf(node.role, node.states, half.height);
  if (hasTextOnly(role) && name === '' && value === '') return undefined;
  // A value that equals the name carries no information.
  return { role, name, value: value === name ? '' : value, states: statesOf(node.states), box: at };
}

/** The pixels of the agent whose middles lie in the box. */
function scaledBox({ x, y, width, height }: Box, scale: number): Box {
  const [left, top] = [firstBehind(x, scale), firstBehind(y, scale)];
  return box(left, top, firstBehind(x + width, scale) - left, firstBehind(y + height, scale) - top);
}
