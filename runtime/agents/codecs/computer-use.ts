// Actions as calls of the tool `computer_use` of Qwen models: {"action": "left_click", "coordinate": [10, 20]}. These are gestures like
// those of pyautogui: a drag begins at the pointer, so it is written as two calls.

import { type Action, type Direction, MAX_NOTCHES } from '../../core/action.ts';
import { centre, type Point } from '../../core/screen.ts';
import { type CoordinateSpace, toPicture } from '../model/frame.ts';
import { type ActionCodec, ActionFormatError, assertWhole, theOnly } from './codec.ts';
import { Fields } from './fields.ts';
import { type Button, fold, type Gesture } from './gesture.ts';
import { keyNamed, keysNamed, withoutCapitals } from './keys.ts';
import { jsonWithoutMarks, type ToolCall, toolCallsIn } from './tool-calls.ts';

const FORMAT = 'computer_use';

export interface ComputerUseTurn {
  readonly thought: string;
  /** Never empty. */
  readonly actions: readonly Action[];
}

export interface ComputerUseCodec extends ActionCodec<string> {
  decodeTurn(wire: string, pointer?: Point): ComputerUseTurn;
}

export const computerUse = (space: CoordinateSpace): ComputerUseCodec => {
  const decodeTurn = (wire: string, pointer?: Point): ComputerUseTurn => {
    const refuse = (reason: string): never => {
      throw new ActionFormatError(FORMAT, wire, reason);
    };
    const { thought, calls } = toolCallsIn(wire, FORMAT);
    const gestures = calls.flatMap(call => gesturesOf(call, space, refuse));
    return {
      thought,
      actions: fold(gestures, { pointer, scrollAt: centre({ x: 0, y: 0, ...space.screen }) }, refuse),
    };
  };
  const decodeAll = (wire: string, pointer?: Point) => decodeTurn(wire, pointer).actions;
  return {
    encode: action => write(action, space),
    decodeTurn,
    decodeAll,
    decode: (wire, pointer) => theOnly(decodeAll(wire, pointer), FORMAT, wire),
  };
};

// Scrolling. The field is called pixels, but the reference runners scroll by that many notches. Models write both.

/** Larger values are read as pixels. */
const PIXELS_ABOVE = 30;
const PIXELS_PER_NOTCH = 100;

const notchesOf = (pixels: number): number => {
  const size = Math.abs(pixels);
  const notches = size <= PIXELS_ABOVE ? Math.ceil(size) : Math.round(size / PIXELS_PER_NOTCH);
  return Math.sign(pixels) * Math.min(Math.max(notches, pixels === 0 ? 0 : 1), MAX_NOTCHES);
};

const pixelsOf = (notches: number): number =>
  notches <= PIXELS_ABOVE ? notches : notches * PIXELS_PER_NOTCH;

// Writing

const write = (action: Action, space: CoordinateSpace): string => {
  assertWhole(action, FORMAT);
  return argumentsOf(action, space)
    .map(given => `<tool_call>\n${jsonWithoutMarks({ name: FORMAT, arguments: given })}\n</tool_call>`)
    .join('\n');
};

const BACKWARD: readonly Direction[] = ['down', 'left'];
/** The reader takes a backslash and an n at the end of a text for Enter. */
const WRITTEN_LINE_BREAK = '\\n';

const argumentsOf = (action: Action, space: CoordinateSpace): readonly object[] => {
  const refuse = (reason: string): never => {
    throw new ActionFormatError(FORMAT, action, reason);
  };
  const at = (point: Point) => {
    const { width, height } = space.screen;
    if (point.x >= width || point.y >= height)
      refuse(`(${point.x}, ${point.y}) is off the ${width} × ${height} screen: use a pixel of the screen`);
    return { coordinate: toPicture(space, point).map(Number) };
  };
  switch (action.kind) {
    case 'click':
      return [{ action: 'left_click', ...at(action.at) }];
    case 'double_click':
    case 'right_click':
    case 'middle_click':
    case 'triple_click':
      return [{ action: action.kind, ...at(action.at) }];
    case 'move':
      return [{ action: 'mouse_move', ...at(action.at) }];
    case 'drag':
      return [
        { action: 'mouse_move', ...at(action.from) },
        { action: 'left_click_drag', ...at(action.to) },
      ];
    case 'type':
      if (action.text.endsWith(WRITTEN_LINE_BREAK))
        refuse('cannot write a text that ends with a backslash and an n: readers take them for Enter');
      return [{ action: 'type', text: action.text }];
    case 'hotkey':
      if (withoutCapitals(action.keys).join() !== action.keys.join())
        refuse('cannot write a capital letter in a chord: add shift and use the small letter');
      return [{ action: 'key', keys: action.keys }];
    case 'scroll': {
      if (action.notches > MAX_NOTCHES)
        refuse(`cannot scroll ${action.notches} notches: ${MAX_NOTCHES} is the most`);
      const name = action.direction === 'up' || action.direction === 'down' ? 'scroll' : 'hscroll';
      const pixels = pixelsOf(action.notches) * (BACKWARD.includes(action.direction) ? -1 : 1);
      return [{ action: name, ...at(action.at), pixels }];
    }
    case 'wait':
      return [{ action: 'wait', time: 2 }];
    case 'finished':
      return [
        action.answer === ''
          ? { action: 'terminate', status: 'success' }
          : { action: 'answer', text: action.answer },
      ];
    case 'fail':
      return [{ action: 'terminate', status: 'failure', ...(action.why !== '' && { text: action.why }) }];
    case 'none':
      return refuse('there is no call for a turn without an action: omit it');
  }
};

// Reading

const CLICKS: ReadonlyMap<string, readonly [Button, number]> = new Map([
  ['left_click', ['left', 1]],
  ['click', ['left', 1]],
  ['right_click', ['right', 1]],
  ['middle_click', ['middle', 1]],
  ['double_click', ['left', 2]],
  ['computer_double_click', ['left', 2]],
  ['triple_click', ['left', 3]],
]);
const FAILURES: readonly string[] = ['failure', 'fail', 'failed', 'infeasible'];

const gesturesOf = (
  { name, arguments: given }: ToolCall,
  space: CoordinateSpace,
  refuse: (reason: string) => never,
): readonly Gesture[] => {
  if (name !== undefined && name !== FORMAT) refuse(`the tool ${name} does not exist: call ${FORMAT}`);
  const action = new Fields(given, refuse).text('action')?.trim().toLowerCase().replaceAll(' ', '_') ?? '';
  if (action === '') refuse('a call has no action: add "action"');
  const fields = new Fields(given, reason => refuse(`${action} ${reason}`));
  const at = (field: string) => fields.point(field, space);
  const click = CLICKS.get(action);
  if (click !== undefined) {
    const held = fields.text('text') ?? '';
    if (held !== '')
      fields.refuse(`holds ${held} during the click, which is not supported: click without keys`);
    const [button, count] = click;
    const place = at('coordinate');
    return [{ kind: 'click', button, count, ...(place !== undefined && { at: place }) }];
  }
  switch (action) {
    case 'mouse_move':
      return [{ kind: 'move', to: at('coordinate') ?? fields.refuse('has no coordinate: add it') }];
    case 'left_click_drag':
    case 'drag':
      return dragOf(fields, at);
    case 'key':
    case 'hotkey':
      return [{ kind: 'keys', keys: withoutCapitals(keysNamed(fields.keyNames('keys'), fields.refuse)) }];
    case 'key_down':
      return fields.keyNames('keys').map(each => ({ kind: 'key_down', key: keyNamed(each, fields.refuse) }));
    case 'key_up':
      return fields
        .keyNames('keys')
        .map((each): Gesture => ({ kind: 'key_up', key: keyNamed(each, fields.refuse) }))
        .reverse();
    case 'type':
      return typed(fields);
    case 'scroll':
    case 'hscroll': {
      const held = fields.text('text') ?? '';
      if (held !== '')
        fields.refuse(`holds ${held} during the scroll, which is not supported: scroll without keys`);
      const notches = notchesOf(fields.number('pixels') ?? fields.refuse('has no pixels: add them'));
      const place = at('coordinate');
      const [right, up] = action === 'scroll' ? [0, notches] : [notches, 0];
      return [{ kind: 'scroll', right, up, ...(place !== undefined && { at: place }) }];
    }
    case 'wait':
      return [{ kind: 'action', action: { kind: 'wait' } }];
    case 'terminate':
    case 'stop':
    case 'done':
      return [{ kind: 'action', action: endOf(fields) }];
    case 'answer':
      return [{ kind: 'action', action: { kind: 'finished', answer: fields.text('text') ?? '' } }];
    case 'interact':
    case 'call_user':
      return [
        {
          kind: 'action',
          action: { kind: 'fail', why: fields.text('text') ?? fields.text('question') ?? '' },
        },
      ];
    default:
      return refuse(`${action} is not an action of ${FORMAT}: use one such as left_click, type or terminate`);
  }
};

const dragOf = (fields: Fields, at: (field: string) => Point | undefined): readonly Gesture[] => {
  const [start, second] = [
    at('start_coordinate') ?? at('coordinate1'),
    at('end_coordinate') ?? at('coordinate2'),
  ];
  const to = second ?? at('coordinate') ?? fields.refuse('has no coordinate: add it');
  const from = start ?? (second === undefined ? undefined : at('coordinate'));
  return [
    ...(from === undefined ? [] : [{ kind: 'move', to: from } as const]),
    { kind: 'drag', to, button: 'left' },
  ];
};

const typed = (fields: Fields): readonly Gesture[] => {
  const text = fields.text('text') ?? fields.refuse('has no text: add it');
  const whole = text.endsWith(WRITTEN_LINE_BREAK) ? `${text.slice(0, -WRITTEN_LINE_BREAK.length)}\n` : text;
  const clear: readonly Gesture[] = fields.flag('clear')
    ? [
        { kind: 'keys', keys: keysNamed(['ctrl', 'a'], fields.refuse) },
        { kind: 'keys', keys: keysNamed(['backspace'], fields.refuse) },
      ]
    : [];
  return [...clear, { kind: 'type', text: fields.flag('enter') ? `${whole}\n` : whole }];
};

const endOf = (fields: Fields): Action => {
  const status = (fields.text('status') ?? 'success').trim().toLowerCase();
  const text = fields.text('text') ?? fields.text('answer') ?? '';
  if (status === 'success') return { kind: 'finished', answer: text };
  if (FAILURES.includes(status)) return { kind: 'fail', why: text };
  return fields.refuse(`has the status ${JSON.stringify(status)}: use success or failure`);
};
