// Interprets one call of UI-TARS: click(start_box='(10,20)'). The functions, their parameters and the spellings of positions follow the
// releases of UI-TARS and what its models write.

import { type Action, type Direction, type Keys, NOTCHES } from '../../core/action.ts';
import { centre, type Point } from '../../core/screen.ts';
import { type CoordinateSpace, toScreen } from '../model/frame.ts';
import { type Call, type FunctionSignature, isList, type Literal } from './call.ts';
import { ActionFormatError } from './codec.ts';
import { chordNames, keysNamed, withoutCapitals } from './keys.ts';

const FORMAT = 'ui-tars';

const START = ['start_box', 'point', 'start_point'];
const END = ['end_box', 'end_point'];
const KEY = ['key', 'hotkey', 'press'];
const CONTENT = ['content'];
const DIRECTION = ['direction'];

/** The parameters of each function in order: models also write arguments without names. Each has several spellings. */
const PARAMETERS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ['click', [START]],
  ['left_single', [START]],
  ['left_double', [START]],
  ['right_single', [START]],
  ['hover', [START]],
  ['drag', [START, END]],
  ['select', [START, END]],
  ['type', [CONTENT]],
  ['hotkey', [KEY]],
  ['press', [KEY]],
  ['scroll', [START, DIRECTION]],
  ['wait', [['time', 'seconds']]],
  ['finished', [CONTENT]],
  ['call_user', [CONTENT]],
  ['error_env', [CONTENT]],
  ['fail', [CONTENT]],
]);

export const FUNCTIONS: ReadonlyMap<string, FunctionSignature> = new Map(
  [...PARAMETERS].map(([name, parameters]) => [
    name,
    { parameters: parameters.length, hasText: parameters.includes(CONTENT) },
  ]),
);

/** The call of one action, with the parameters of its function. */
export class UitarsCall {
  readonly #values: ReadonlyMap<readonly string[], Literal>;

  constructor(
    readonly call: Call,
    readonly space: CoordinateSpace,
    readonly wire: string,
  ) {
    this.#values = this.#bound();
  }

  /** `pointer` is the position for an action without one. */
  action(pointer: Point | undefined): Action {
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
        return { kind: 'type', text: this.#text(CONTENT) ?? this.#refuse('has no content: add content') };
      case 'hotkey':
      case 'press':
        return { kind: 'hotkey', keys: this.#keys() };
      case 'scroll':
        return {
          kind: 'scroll',
          at: this.#point(START, pointer ?? centre({ x: 0, y: 0, ...this.space.screen })),
          direction: this.#direction(),
          notches: NOTCHES,
        };
      case 'wait':
        return { kind: 'wait' };
      case 'finished':
        return { kind: 'finished', answer: this.#text(CONTENT) ?? '' };
      default:
        return { kind: 'fail', why: this.#text(CONTENT) ?? '' };
    }
  }

  #bound(): ReadonlyMap<readonly string[], Literal> {
    const { name, positional, named } = this.call;
    const parameters =
      PARAMETERS.get(name) ??
      this.#refuse('is not an action of UI-TARS: use click, drag, type, hotkey, scroll, wait or finished');
    const values = new Map<readonly string[], Literal>();
    positional.forEach((value, index) => {
      values.set(parameters[index] ?? this.#refuse('has too many arguments: remove some'), value);
    });
    for (const [spelling, value] of named) {
      const parameter = parameters.find(spellings => spellings.includes(spelling));
      if (parameter === undefined) this.#refuse(`does not take ${spelling}: remove it`);
      else values.set(parameter, value);
    }
    return values;
  }

  #text(parameter: readonly string[]): string | undefined {
    const value = this.#values.get(parameter);
    if (value === undefined || typeof value === 'string') return value;
    return this.#refuse(`needs ${parameter[0]} as a string in quotes`);
  }

  #point(parameter: readonly string[], pointer: Point | undefined): Point {
    const value = this.#values.get(parameter);
    if (value === undefined || value === '') {
      const [name] = parameter;
      return pointer ?? this.#refuse(`has no ${name}, and the pointer position is unknown: add ${name}`);
    }
    const text = isList(value) ? value.join(',') : String(value);
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
    const value = this.#values.get(KEY) ?? '';
    const texts = (isList(value) ? value : [value]).map(String);
    const keys = keysNamed(texts.flatMap(chordNames), reason => this.#refuse(`has invalid keys: ${reason}`));
    // 'Ctrl+A', as people write it, has no shift; the format itself joins keys with blanks.
    return texts.some(text => /\w\+\w/.test(text)) ? withoutCapitals(keys) : keys;
  }

  #direction(): Direction {
    const text = this.#text(DIRECTION) ?? '';
    const direction = DIRECTIONS.find(name => name === text.trim().toLowerCase());
    return (
      direction ?? this.#refuse(`has the direction ${JSON.stringify(text)}: use up, down, left or right`)
    );
  }

  #refuse(reason: string): never {
    throw new ActionFormatError(FORMAT, this.wire, `${this.call.name} ${reason}`);
  }
}

const DIRECTIONS: readonly Direction[] = ['up', 'down', 'left', 'right'];
// Tokens and brackets around a position in the releases of UI-TARS.
const MARKUP = /<\|box_(?:start|end)\|>|<\/?(?:point|bbox)>|[()[\]]/g;
const SEPARATOR = /\s*,\s*|\s+/;
const toNumber = (text: string): number =>
  /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
