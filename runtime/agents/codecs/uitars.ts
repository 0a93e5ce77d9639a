// Actions in the format of UI-TARS: calls such as click(start_box='<|box_start|>(x,y)<|box_end|>'), alone or after the thought of a
// turn. The caller chooses the coordinate space (model/frame.ts). uitars-turn.ts and uitars-call.ts read.
//
// The format has one scroll distance; the codec rejects others. `move` becomes hover, which the prompt omits but the parser of
// UI-TARS reads. `fail` becomes call_user, which OSWorld's agent counts as FAIL.

import { type Action, NOTCHES } from '../../core/action.ts';
import type { Point } from '../../core/screen.ts';
import { type CoordinateSpace, toPicture } from '../model/frame.ts';
import { type ActionCodec, ActionFormatError, assertWhole, theOnly } from './codec.ts';
import { chordText } from './keys.ts';
import { quoted } from './quoted-text.ts';
import { readTurn, type UitarsTurn } from './uitars-turn.ts';

const FORMAT = 'ui-tars';

export interface UitarsCodec extends ActionCodec<string> {
  /** The thought and the actions of a turn. */
  decodeTurn(wire: string, pointer?: Point): UitarsTurn;
}

export const uitars = (space: CoordinateSpace): UitarsCodec => {
  const decodeTurn = (wire: string, pointer?: Point) => readTurn(wire, space, pointer);
  const decodeAll = (wire: string, pointer?: Point) => decodeTurn(wire, pointer).actions;
  return {
    encode: action => write(action, space),
    decodeTurn,
    decodeAll,
    decode: (wire, pointer) => theOnly(decodeAll(wire, pointer), FORMAT, wire),
  };
};

/** The calls with the box tokens that servers remove from the text. Tokens that are there stay. */
export const withBoxTokens = (turn: string): string =>
  turn.replace(
    /\b(start_box|end_box)=(['"])\((\d+),\s*(\d+)\)\2/g,
    (_, name, quote, x, y) => `${name}=${quote}<|box_start|>(${x},${y})<|box_end|>${quote}`,
  );

/** The reader takes a backslash and an n at the end of a content for Enter, unless the backslash is written as a code. */
const quotedContent = (text: string): string =>
  text.endsWith('\\n') ? `${quoted(text.slice(0, -2)).slice(0, -1)}\\x5cn'` : quoted(text);

// Writing

const write = (action: Action, space: CoordinateSpace): string => {
  const box = (point: Point) => quoted(`<|box_start|>(${written(action, point, space)})<|box_end|>`);
  assertWhole(action, FORMAT);
  switch (action.kind) {
    case 'click':
      return `click(start_box=${box(action.at)})`;
    case 'double_click':
      return `left_double(start_box=${box(action.at)})`;
    case 'right_click':
      return `right_single(start_box=${box(action.at)})`;
    case 'middle_click':
    case 'triple_click':
    case 'none':
      throw new ActionFormatError(
        FORMAT,
        action,
        `cannot write ${action.kind}: the format has no such action`,
      );
    case 'move':
      return `hover(start_box=${box(action.at)})`;
    case 'drag':
      return `drag(start_box=${box(action.from)}, end_box=${box(action.to)})`;
    case 'type':
      return `type(content=${quotedContent(action.text)})`;
    case 'hotkey':
      return `hotkey(key=${quoted(chordText(action.keys))})`;
    case 'scroll':
      if (action.notches !== NOTCHES) {
        const reason = `cannot write a scroll of ${action.notches} notches: use ${NOTCHES}, the only distance`;
        throw new ActionFormatError(FORMAT, action, reason);
      }
      return `scroll(start_box=${box(action.at)}, direction='${action.direction}')`;
    case 'wait':
      return 'wait()';
    case 'finished':
      return action.answer === '' ? 'finished()' : `finished(content=${quotedContent(action.answer)})`;
    case 'fail':
      return action.why === '' ? 'call_user()' : `call_user(content=${quotedContent(action.why)})`;
  }
};

const written = (action: Action, point: Point, space: CoordinateSpace): string => {
  const { width, height } = space.screen;
  if (point.x >= width || point.y >= height) {
    const reason = `(${point.x}, ${point.y}) is off the ${width} × ${height} screen: use a pixel of the screen`;
    throw new ActionFormatError(FORMAT, action, reason);
  }
  return toPicture(space, point).join(',');
};
