// The code of AgentNet: pyautogui with positions from 0 to 1, and the functions `computer.…` of OpenCUA. It is parsed, never run. Pure.

import { ActionFormatError } from '../../agents/codecs/codec.ts';
import { readCode, writeComputerCode } from '../../agents/codecs/pyautogui.ts';
import type { Placement } from '../../agents/codecs/pyautogui-call.ts';
import { type CoordinateSpace, toPicture, toScreen } from '../../agents/model/frame.ts';
import { type Action, MAX_STORED_NOTCHES } from '../../core/action.ts';
import { centre, type Point, type Size } from '../../core/screen.ts';
import { readingOfTurn, type StoredTurn, sameActions, type TurnReading } from '../steps.ts';

/** Positions are parts of the screen. */
const fractionsOf = (screen: Size): CoordinateSpace => ({ screen, picture: { width: 1, height: 1 } });

const placementOn =
  (space: CoordinateSpace): Placement =>
  (x, y, refuse): Point => {
    if (typeof x !== 'number' || typeof y !== 'number')
      return refuse(`needs a position of two numbers, and has (${typeof x}, ${typeof y})`);
    return toScreen(space, x, y) ?? refuse(`points at (${x}, ${y}), and positions are from 0 to 1`);
  };

export function readAgentNetCode(code: string, screen: Size, pointer: Point | undefined): TurnReading {
  return readingOfTurn(code, () =>
    readCode(code, {
      ...(pointer !== undefined && { pointer }),
      scrollAt: centre({ x: 0, y: 0, ...screen }),
      place: placementOn(fractionsOf(screen)),
      maxNotches: MAX_STORED_NOTCHES,
    }),
  );
}

/** The code of a turn; undefined if its actions need a step each. Throws an ActionFormatError for an action without code. */
export function writeAgentNetCode(
  { actions }: StoredTurn,
  screen: Size,
  pointer: Point | undefined,
): string | undefined {
  // A step without code is an unreadable one.
  if (actions.some(({ kind }) => kind === 'none')) return actions.length === 1 ? '' : undefined;
  const code = actions.map(action => codeOf(action, screen)).join('\n');
  const reading = readAgentNetCode(code, screen, pointer);
  return reading.kind === 'actions' && sameActions(reading.actions, actions) ? code : undefined;
}

function codeOf(action: Action, screen: Size): string {
  const xy = (point: Point): string => {
    if (point.x < screen.width && point.y < screen.height) {
      const [x, y] = toPicture(fractionsOf(screen), point);
      return `x=${x}, y=${y}`;
    }
    const reason = `(${point.x}, ${point.y}) is off the ${screen.width} × ${screen.height} screen`;
    throw new ActionFormatError('agentnet', action, reason);
  };
  return writeComputerCode(action, xy);
}
