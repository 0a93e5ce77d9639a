// Actions as OSWorld's `computer_13` objects: {action_type: 'CLICK', parameters: {x, y}}. These are mouse and
// keyboard gestures, so one action may be several objects: a drag is MOVE_TO and DRAG_TO, a scroll MOVE_TO and SCROLL. DONE and FAIL
// have their text in a parameter that OSWorld ignores. NONE is not a type of OSWorld: it marks a turn without a readable action.

import type { Action } from '../../core/action.ts';
import type { Key } from '../../core/key.ts';
import { own } from '../../core/own.ts';
import type { Point } from '../../core/screen.ts';
import { type ActionCodec, ActionFormatError, assertWhole, theOnly } from './codec.ts';
import { type Button, fold, type Gesture, type Places } from './gesture.ts';
import { keyNamed, keysNamed } from './keys.ts';
import { pixel } from './pixel.ts';

const FORMAT = 'computer_13';

export interface Computer13 {
  readonly action_type: string;
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>;
}

/** Reads one object, a list of them, or OSWorld's bare words; parameters may also lie beside `action_type`. */
export const computer13: ActionCodec<readonly Computer13[], unknown> = {
  encode: action => write(action),
  decode: (wire, pointer) => theOnly(readComputer13(wire, { pointer }), FORMAT, wire),
  decodeAll: (wire, pointer) => readComputer13(wire, { pointer }),
};

// Writing

const write = (action: Action): readonly Computer13[] => {
  const xy = ({ x, y }: Point) => ({ x, y });
  assertWhole(action, FORMAT);
  switch (action.kind) {
    case 'click':
      return [{ action_type: 'CLICK', parameters: { button: 'left', ...xy(action.at), num_clicks: 1 } }];
    case 'double_click':
      return [{ action_type: 'DOUBLE_CLICK', parameters: xy(action.at) }];
    case 'right_click':
      return [{ action_type: 'RIGHT_CLICK', parameters: xy(action.at) }];
    case 'middle_click':
      return [{ action_type: 'CLICK', parameters: { button: 'middle', ...xy(action.at), num_clicks: 1 } }];
    case 'triple_click':
      return [{ action_type: 'CLICK', parameters: { button: 'left', ...xy(action.at), num_clicks: 3 } }];
    case 'move':
      return [{ action_type: 'MOVE_TO', parameters: xy(action.at) }];
    case 'drag':
      return [
        { action_type: 'MOVE_TO', parameters: xy(action.from) },
        { action_type: 'DRAG_TO', parameters: xy(action.to) },
      ];
    case 'type':
      return [{ action_type: 'TYPING', parameters: { text: action.text } }];
    case 'hotkey': {
      const [first, ...rest] = action.keys.map(named);
      return rest.length === 0 && first !== undefined
        ? [{ action_type: 'PRESS', parameters: { key: first } }]
        : [{ action_type: 'HOTKEY', parameters: { keys: action.keys.map(named) } }];
    }
    case 'scroll': {
      const sideways = action.direction === 'left' || action.direction === 'right';
      const ahead = action.direction === 'up' || action.direction === 'right';
      const amount = ahead ? action.notches : -action.notches;
      return [
        { action_type: 'MOVE_TO', parameters: xy(action.at) },
        { action_type: 'SCROLL', parameters: sideways ? { dx: amount, dy: 0 } : { dx: 0, dy: amount } },
      ];
    }
    case 'wait':
      return [{ action_type: 'WAIT' }];
    case 'finished':
      return [
        { action_type: 'DONE', ...(action.answer !== '' && { parameters: { answer: action.answer } }) },
      ];
    case 'fail':
      return [{ action_type: 'FAIL', ...(action.why !== '' && { parameters: { why: action.why } }) }];
    case 'none':
      return [{ action_type: 'NONE', ...(action.why !== '' && { parameters: { why: action.why } }) }];
  }
};

// OSWorld names the space bar ' '.
const named = (key: Key): string => (key === 'space' ? ' ' : key);

// Reading

export const readComputer13 = (wire: unknown, places: Places): readonly Action[] => {
  const refuse = (reason: string): never => {
    throw new ActionFormatError(FORMAT, wire, reason);
  };
  const objects: readonly unknown[] = Array.isArray(wire) ? wire : [wire];
  return fold(
    objects.map(object => gestureOf(new Entry(object, refuse))),
    places,
    refuse,
  );
};

const gestureOf = (entry: Entry): Gesture => {
  switch (entry.type) {
    case 'MOVE_TO':
      return { kind: 'move', to: entry.at().at ?? entry.refuse('has no position: add x and y') };
    case 'CLICK':
      return { kind: 'click', button: entry.button(), count: entry.whole('num_clicks', 1), ...entry.at() };
    case 'RIGHT_CLICK':
      return { kind: 'click', button: 'right', count: 1, ...entry.at() };
    case 'DOUBLE_CLICK':
      return { kind: 'click', button: 'left', count: 2, ...entry.at() };
    case 'MOUSE_DOWN':
      return { kind: 'button_down', button: entry.button() };
    case 'MOUSE_UP':
      return { kind: 'button_up', button: entry.button() };
    case 'DRAG_TO':
      return {
        kind: 'drag',
        to: entry.at().at ?? entry.refuse('has no position: add x and y'),
        button: 'left',
      };
    case 'SCROLL':
      return { kind: 'scroll', right: entry.whole('dx', 0), up: entry.whole('dy', 0) };
    case 'TYPING':
      return { kind: 'type', text: entry.text('text') ?? entry.refuse('has no text: add text') };
    case 'PRESS':
      return { kind: 'keys', keys: keysNamed([entry.key()], entry.refuse) };
    case 'KEY_DOWN':
      return { kind: 'key_down', key: keyNamed(entry.key(), entry.refuse) };
    case 'KEY_UP':
      return { kind: 'key_up', key: keyNamed(entry.key(), entry.refuse) };
    case 'HOTKEY':
      return { kind: 'keys', keys: keysNamed(entry.keys(), entry.refuse) };
    case 'WAIT':
      return { kind: 'action', action: { kind: 'wait' } };
    case 'DONE':
      return { kind: 'action', action: { kind: 'finished', answer: entry.text('answer') ?? '' } };
    case 'FAIL':
      return { kind: 'action', action: { kind: 'fail', why: entry.text('why') ?? '' } };
    case 'NONE':
      return { kind: 'action', action: { kind: 'none', why: entry.text('why') ?? '' } };
    default:
      return entry.refuse('is not an action type of computer_13: use one of OSWorld, such as CLICK');
  }
};

/** One object of untrusted JSON, validated field by field. */
class Entry {
  readonly type: string;
  readonly #fields: Fields;
  readonly #refuse: (reason: string) => never;

  constructor(object: unknown, refuse: (reason: string) => never) {
    this.#refuse = refuse;
    const record = typeof object === 'string' ? { action_type: object } : recordOf(object);
    const type = record === undefined ? undefined : own(record, 'action_type');
    if (record === undefined || typeof type !== 'string') {
      refuse('expected an object with an action_type such as CLICK');
    }
    this.type = type;
    this.#fields = recordOf(own(record, 'parameters')) ?? record;
  }

  readonly refuse = (reason: string): never => this.#refuse(`${this.type} ${reason}`);

  at(): { readonly at?: Point } {
    const [x, y] = [own(this.#fields, 'x'), own(this.#fields, 'y')];
    return x === undefined && y === undefined ? {} : { at: pixel(x, y, this.refuse) };
  }

  button(): Button {
    const button = BUTTONS.find(known => known === (own(this.#fields, 'button') ?? 'left'));
    return button ?? this.refuse('needs the button left, right or middle');
  }

  whole(name: string, otherwise: number): number {
    const value = own(this.#fields, name) ?? otherwise;
    return typeof value === 'number' && Number.isSafeInteger(value)
      ? value
      : this.refuse(`needs ${name} as a whole number`);
  }

  text(name: string): string | undefined {
    const value = own(this.#fields, name);
    return value === undefined || typeof value === 'string'
      ? value
      : this.refuse(`needs ${name} as a string`);
  }

  key(): string {
    return this.text('key') ?? this.refuse('has no key: add key');
  }

  keys(): readonly string[] {
    const keys = own(this.#fields, 'keys');
    const list: readonly unknown[] = Array.isArray(keys) ? keys : [keys];
    return list.map(key => (typeof key === 'string' ? key : this.refuse('needs keys as a list of strings')));
  }
}

const BUTTONS: readonly Button[] = ['left', 'right', 'middle'];

type Fields = Readonly<Record<string, unknown>>;

const recordOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
