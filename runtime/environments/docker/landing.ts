// Whether what an action does will be told by a tree of elements. Where it is, an application that has answered has done it, and
// nothing need be waited for; window managers, panels and terminals have no tree, and there the pixels tell. Pure.

import type { Action } from '../../core/action.ts';
import { type Box, contains, type Point } from '../../core/screen.ts';
import type { ElementNode, ElementTree } from './hub.ts';

/** Chords with these may mean the window manager and not the application. */
const MANAGING: readonly string[] = ['alt', 'win'];

/** `at` gives a point of the policy's screen on the desktop's own. */
export function hasElementsAtTarget(action: Action, tree: ElementTree, at: (point: Point) => Point): boolean {
  switch (action.kind) {
    case 'drag':
      return isInside(at(action.from), tree) && isInside(at(action.to), tree);
    case 'type':
      return hasNodes(tree.active, tree);
    case 'hotkey':
      return hasNodes(tree.active, tree) && !action.keys.some(key => MANAGING.includes(key));
    case 'wait':
    case 'finished':
    case 'fail':
      return false;
    default:
      return isInside(at(action.at), tree);
  }
}

/** In a window that has a tree, and not on the frame that the window manager draws around it. */
function isInside(point: Point, tree: ElementTree): boolean {
  const front = tree.windows.findLast(({ box }) => contains(boxOf(box), point));
  return front !== undefined && contains(boxOf(front.inner), point) && hasNodes(front.xid, tree);
}

/** One that is late tells what was, and one that is busy not yet what comes. */
const hasNodes = (xid: number, { nodes, late, busy }: ElementTree): boolean =>
  !late.includes(xid) && !busy.includes(xid) && nodes.some(({ w }) => w === xid);

/** Whether a window came or went between two trees, or has another place. */
export const windowsChanged = (before: ElementTree, after: ElementTree): boolean =>
  before.windows.length !== after.windows.length ||
  before.windows.some(({ xid, box }, index) => {
    const other = after.windows[index];
    return other?.xid !== xid || other.box.some((number, at) => number !== box[at]);
  });

const boxOf = ([x, y, width, height]: ElementNode['box']): Box => ({ x, y, width, height });
