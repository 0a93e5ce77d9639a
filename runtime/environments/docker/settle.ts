// Decides when a screen has settled. Pure. If an action goes to a window with an element tree, an application that answers has finished
// its work. Window managers, panels and terminals have no tree; for them the pixels decide.

import type { Action } from '../../core/action.ts';
import { contains, type Point } from '../../core/screen.ts';
import { boxOf, type ElementTree } from './hub.ts';

/** All in milliseconds. */
export interface SettleLimits {
  /** The wait for the first change. Too short a wait returns the screen before any change. */
  readonly first: number;
  /** The time without a change. Applications draw at most every 17 ms, so a shorter time can end between two frames. */
  readonly quiet: number;
  /** The maximum, if the changes do not end. */
  readonly max: number;
}

/** Enough for the calculator, the editor and menus on a machine that is not overloaded. */
export const DEFAULT_SETTLE: SettleLimits = { first: 60, quiet: 20, max: 600 };

export interface SettleTimes {
  /** When the desktop received the input. */
  readonly acted: number;
  /** When the screen last changed since then. */
  readonly changed: number | undefined;
  /** The response time of the desktop. A slow response predicts slow drawing. */
  readonly lag: number;
}

/** Sixteen busy desktops on two cores have this lag, so it does not indicate overload. */
const NORMAL_LAG_MS = 10;
/** Drawing takes longer than a response. With a factor of four, every tenth frame of an overloaded machine was stale. */
const LAG_FACTOR = 8;
const MAX_EXTENSION_MS = 3000;

/** When the screen is settled, unless it changes before. Lag extends all limits. */
export const settledAt = (
  { acted, changed, lag }: SettleTimes,
  { first, quiet, max }: SettleLimits,
): number => {
  const extension = Math.min(MAX_EXTENSION_MS, LAG_FACTOR * Math.max(0, lag - NORMAL_LAG_MS));
  return extension + Math.min(acted + max, changed === undefined ? acted + first : changed + quiet);
};

/** Chords with these keys can go to the window manager instead of the application. */
const WINDOW_MANAGER_KEYS: readonly string[] = ['alt', 'win'];

/** True if the action goes to a window whose tree reports its effect. `toScreen` maps the policy's pixels to the desktop's. */
export function hasElementsAtTarget(
  action: Action,
  tree: ElementTree,
  toScreen: (point: Point) => Point,
): boolean {
  switch (action.kind) {
    case 'drag':
      return isInTree(toScreen(action.from), tree) && isInTree(toScreen(action.to), tree);
    case 'type':
      return hasNodes(tree.active, tree);
    case 'hotkey':
      return hasNodes(tree.active, tree) && !action.keys.some(key => WINDOW_MANAGER_KEYS.includes(key));
    case 'wait':
    case 'finished':
    case 'fail':
    case 'none':
      return false;
    default:
      return isInTree(toScreen(action.at), tree);
  }
}

/** False on the frame that the window manager draws around a window. */
function isInTree(point: Point, tree: ElementTree): boolean {
  const front = tree.windows.findLast(({ box }) => contains(boxOf(box), point));
  return front !== undefined && contains(boxOf(front.inner), point) && hasNodes(front.xid, tree);
}

/** The tree of a late window is old, and that of a busy window is incomplete. */
const hasNodes = (xid: number, { nodes, late, busy }: ElementTree): boolean =>
  !late.includes(xid) && !busy.includes(xid) && nodes.some(({ w }) => w === xid);

/** True if a window appeared, disappeared or moved. */
export const windowsChanged = (before: ElementTree, after: ElementTree): boolean =>
  before.windows.length !== after.windows.length ||
  before.windows.some(({ xid, box }, index) => {
    const other = after.windows[index];
    return other?.xid !== xid || other.box.some((number, at) => number !== box[at]);
  });
