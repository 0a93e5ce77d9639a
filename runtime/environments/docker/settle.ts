// Decides when a screen has settled. Pure. If an action goes to a window with an element tree, an application that answers has finished
// its work. Window managers, panels and terminals have no tree; for them the pixels decide.

import type { Action } from '../../core/action.ts';
import { contains, type Point } from '../../core/screen.ts';
import { boxOf, type ElementTree } from './element-tree.ts';

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

/** The waiting times of a session, which fit the applications of an image. */
export interface SettlePace {
  /** After set-up steps: applications that have just started draw in many steps. */
  readonly start: SettleLimits;
  /** A new or closed window redraws others, and draws itself in several steps. */
  readonly windows: SettleLimits;
  /** Where the elements do not report the effect of an action. */
  readonly action: SettleLimits;
  /** After Enter: GTK shows the default button of a dialog as pressed for 250 ms, and acts then. */
  readonly enter: SettleLimits;
  /** The agent's own wait. */
  readonly wait: SettleLimits;
  /**
   * The processes must be idle before the first action, and the pixels must settle even if elements report the effect of an action: an
   * idle application has not always finished.
   */
  readonly isHeavy: boolean;
}

export const LIGHT_PACE: SettlePace = {
  start: { first: 100, quiet: 120, max: 5000 },
  windows: { first: 60, quiet: 60, max: 1500 },
  action: DEFAULT_SETTLE,
  enter: DEFAULT_SETTLE,
  wait: DEFAULT_SETTLE,
  isHeavy: false,
};

/** LibreOffice, Thunderbird and Chromium load parts of a window, and open dialogs, some time after they were idle. */
export const HEAVY_PACE: SettlePace = {
  start: { first: 200, quiet: 150, max: 5000 },
  windows: { first: 150, quiet: 150, max: 3000 },
  action: { first: 100, quiet: 60, max: 1500 },
  enter: { first: 350, quiet: 300, max: 2000 },
  wait: { first: 500, quiet: 150, max: 3000 },
  isHeavy: true,
};

export function limitsFor(action: Action, pace: SettlePace): SettleLimits {
  if (action.kind === 'wait') return pace.wait;
  const pressesEnter =
    (action.kind === 'hotkey' && action.keys.some(key => key === 'enter')) ||
    (action.kind === 'type' && action.text.includes('\n'));
  return pressesEnter ? pace.enter : pace.action;
}

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

/** True if the action goes to a window whose tree reports its effect. `toScreen` maps the agent's pixels to the desktop's. */
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
