// Moves nodes to the windows that show them. Browsers and mail programs draw themselves, and their trees have no window ids: the hub
// gives all their nodes to one window, also those of a menu or of a second window. Pure.

import type { ElementNode, ElementTree } from './element-tree.ts';

type TreeWindow = ElementTree['windows'][number];

/** In pixels, on each side. */
const TOLERANCE = 3;

const isAt = (node: ElementNode, window: TreeWindow): boolean =>
  node.box.every((number, index) => Math.abs(number - (window.inner[index] ?? 0)) <= TOLERANCE);

/** A window without nodes receives the node of its application that has its place, with all nodes below it. */
export function withNodeWindows(tree: ElementTree): ElementTree {
  const used = new Set(tree.nodes.map(({ w }) => w));
  const pids = new Map(tree.windows.map(({ xid, pid }) => [xid, pid]));
  const empty = tree.windows.filter(({ xid, pid }) => pid !== 0 && !used.has(xid));
  if (empty.length === 0) return tree;
  let moved: { readonly xid: number; readonly from: number; readonly depth: number } | undefined;
  const nodes = tree.nodes.map(node => {
    if (moved !== undefined && (node.w !== moved.from || node.depth <= moved.depth)) moved = undefined;
    const found = empty.find(window => window.pid === pids.get(node.w) && isAt(node, window));
    if (found !== undefined) moved = { xid: found.xid, from: node.w, depth: node.depth };
    return moved === undefined ? node : { ...node, w: moved.xid };
  });
  return { ...tree, nodes };
}
