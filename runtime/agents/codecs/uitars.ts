// Actions in the format of UI-TARS: calls such as click(start_box='<|box_start|>(x,y)<|box_end|>'), alone or after the thought of a
// turn. The caller chooses the coordinate space (model/frame.ts).
//
// The format has one scroll distance; the codec rejects others. `move` becomes hover, which the prompt omits but the parser of
// UI-TARS reads. `fail` becomes call_user, which OSWorld's agent counts as FAIL.

import { type Action, type Direction, type Keys, NOTCHES, pointerAfter } from '../../core/action.ts';
import type { Point } from '../../core/screen.ts';
import { type CoordinateSpace, toPicture, toScreen } from '../model/frame.ts';
import { type Call, CallReader, quoted } from './call.ts';
import { type ActionCodec, ActionFormatError, assertWhole, theOnly } from './codec.ts';
import { keysNamed } from './gesture.ts';

const FORMAT = 'ui-tars';

export const uitars = (space: CoordinateSpace): ActionCodec<string> => {
  const decodeAll = (wire: string, pointer?: Point): readonly Action[] => readTurn(wire, space, pointer);
  return {
    encode: action => write(action, space),
    decodeAll,
    decode: (wire, pointer) => theOnly(decodeAll(wire, pointer), FORMAT, wire),
  };
};

/** The thought of a turn, '' if it has none, and the calls after it. */
export const splitTurn = (turn: string): { readonly thought: string; readonly calls: string } => {
  const opening = /^\s*(?:Thought|Reflection|Action_Summary|Action):/.exec(turn);
  if (opening === null) return { thought: '', calls: turn };
  // A thought may contain "Action:" too, so one at the start of a line has priority over one within a sentence.
  const marks = [...turn.matchAll(/^[ \t]*Action:/gm)];
  const mark = marks.at(-1) ?? [...turn.matchAll(/\sAction:/g)].at(-1);
  if (mark === undefined) return { thought: thoughtOf(turn), calls: '' };
  return { thought: thoughtOf(turn.slice(0, mark.index)), calls: turn.slice(mark.index + mark[0].length) };
};

const thoughtOf = (text: string): string => text.replace(/^\s*Thought:/, '').trim();

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
      return `type(content=${quoted(action.text)})`;
    case 'hotkey':
      return `hotkey(key=${quoted(action.keys.join(' '))})`;
    case 'scroll':
      if (action.notches !== NOTCHES) {
        const reason = `cannot write a scroll of ${action.notches} notches: use ${NOTCHES}, the only distance`;
        throw new ActionFormatError(FORMAT, action, reason);
      }
      return `scroll(start_box=${box(action.at)}, direction='${action.direction}')`;
    case 'wait':
      return 'wait()';
    case 'finished':
      return action.answer === '' ? 'finished()' : `finished(content=${quoted(action.answer)})`;
    case 'fail':
      return action.why === '' ? 'call_user()' : `call_user(content=${quoted(action.why)})`;
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

// Reading

const readTurn = (wire: string, space: CoordinateSpace, pointer: Point | undefined): readonly Action[] => {
  const reader = new CallReader(FORMAT, splitTurn(wire).calls, 'forgiving');
  const actions: Action[] = [];
  let at = pointer;
  while (!reader.atEnd()) {
    const action = new TurnCall(reader.call(), space, wire).action(at);
    actions.push(action);
    at = pointerAfter(action) ?? at;
  }
  if (actions.length === 0)
    throw new ActionFormatError(FORMAT, wire, 'no action found: write at least one call, such as wait()');
  return actions;
};

class TurnCall {
  readonly #used = new Set<string>();

  constructor(
    readonly call: Call,
    readonly space: CoordinateSpace,
    readonly wire: string,
  ) {}

  action(pointer: Point | undefined): Action {
    const action = this.#read(pointer);
    const [unknown] = [...this.call.named.keys()].filter(name => !this.#used.has(name));
    if (unknown !== undefined) this.#refuse(`does not take ${unknown}: remove it`);
    if (this.call.positional.length > 0) this.#refuse('has arguments without names: name them');
    return action;
  }

  #read(pointer: Point | undefined): Action {
    switch (this.call.name) {
      case 'click':
      case 'left_single':
        return { kind: 'click', at: this.#point(START, pointer) };
      case 'left_double':
        return { kind: 'double_click', at: this.#point(START, pointer) };
      case 'right_single':
        return { kind: 'right_click', at: this.#point(START, pointer) };
      case 'hover':
        return { kind: 'move', at: this.#point(START, pointer) };
      case 'drag':
      case 'select':
        return { kind: 'drag', from: this.#point(START, pointer), to: this.#point(END, undefined) };
      case 'type':
        return { kind: 'type', text: this.#text(['content']) ?? this.#refuse('has no content: add content') };
      case 'hotkey':
      case 'press':
        return { kind: 'hotkey', keys: this.#keys() };
      case 'scroll':
        return {
          kind: 'scroll',
          at: this.#point(START, pointer),
          direction: this.#direction(),
          notches: NOTCHES,
        };
      case 'wait':
        return { kind: 'wait' };
      case 'finished':
        return { kind: 'finished', answer: this.#text(['content']) ?? '' };
      case 'call_user':
      case 'error_env':
      case 'fail':
        return { kind: 'fail', why: this.#text(['content']) ?? '' };
      default:
        return this.#refuse(
          'is not an action of UI-TARS: use click, drag, type, hotkey, scroll, wait or finished',
        );
    }
  }

  #text(names: readonly string[]): string | undefined {
    for (const name of names) this.#used.add(name);
    const name = names.find(candidate => this.call.named.has(candidate));
    const value = name === undefined ? undefined : this.call.named.get(name);
    if (value === undefined || typeof value === 'string') return value;
    return this.#refuse(`needs ${name} as a string in quotes`);
  }

  #point(names: readonly string[], pointer: Point | undefined): Point {
    const text = this.#text(names);
    if (text === undefined || text === '') {
      return (
        pointer ?? this.#refuse(`has no ${names[0]}, and the pointer position is unknown: add ${names[0]}`)
      );
    }
    const numbers = text.replace(MARKUP, ' ').trim().split(SEPARATOR);
    const [x1 = Number.NaN, y1 = Number.NaN, x2 = x1, y2 = y1] = numbers.map(toNumber);
    if (![x1, y1, x2, y2].every(Number.isFinite) || (numbers.length !== 2 && numbers.length !== 4)) {
      return this.#refuse(`has the position ${JSON.stringify(text)}: write (x,y) or (x1,y1,x2,y2)`);
    }
    const { width, height } = this.space.picture;
    return (
      toScreen(this.space, (x1 + x2) / 2, (y1 + y2) / 2) ??
      this.#refuse(`points at ${text}, outside the ${width} × ${height} picture: check the coordinate space`)
    );
  }

  #keys(): Keys {
    const names = (this.#text(['key', 'hotkey', 'press']) ?? '').split(/\s+/).filter(name => name !== '');
    // The prompt asks for "ctrl c", but models sometimes write "ctrl+c"; a single + is a key.
    const parts = names.flatMap(name => (/[^+]\+[^+]/.test(name) ? name.split('+') : [name]));
    return keysNamed(parts, reason => this.#refuse(`has invalid keys: ${reason}`));
  }

  #direction(): Direction {
    const text = this.#text(['direction']) ?? '';
    const direction = DIRECTIONS.find(name => name === text.trim().toLowerCase());
    return (
      direction ?? this.#refuse(`has the direction ${JSON.stringify(text)}: use up, down, left or right`)
    );
  }

  #refuse(reason: string): never {
    throw new ActionFormatError(FORMAT, this.wire, `${this.call.name} ${reason}`);
  }
}

const START = ['start_box', 'point', 'start_point'];
const END = ['end_box', 'end_point'];
const DIRECTIONS: readonly Direction[] = ['up', 'down', 'left', 'right'];
// Tokens and brackets around a position in the releases of UI-TARS.
const MARKUP = /<\|box_(?:start|end)\|>|<\/?(?:point|bbox)>|[()[\]]/g;
const SEPARATOR = /\s*,\s*|\s+/;
const toNumber = (text: string): number => (/^-?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN);
