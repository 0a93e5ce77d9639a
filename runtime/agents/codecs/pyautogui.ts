// Actions as pyautogui code: OSWorld's `pyautogui` action space with its keywords WAIT, DONE and FAIL. Code is parsed, never run.
// Positions are screen pixels; fractions are truncated as in pyautogui.
//
// pyautogui types only what a US keyboard prints and silently drops the rest, so other text is written as a paste. DONE
// and FAIL have no place for an answer or a reason: encode `wordless(action)` where those may go.

import type { Action } from '../../core/action.ts';
import type { Point } from '../../core/screen.ts';
import { type Call, CallReader, isList, type Literal } from './call.ts';
import { type ActionCodec, ActionFormatError, assertWhole, theOnly } from './codec.ts';
import { type Button, fold, type Gesture, pixel } from './gesture.ts';
import { keyNamed, keysNamed } from './keys.ts';
import { quoted } from './quoted.ts';

const FORMAT = 'pyautogui';

export const pyautogui: ActionCodec<string> = {
  encode: action => write(action),
  decode: (wire, pointer) => theOnly(read(wire, pointer), FORMAT, wire),
  decodeAll: (wire, pointer) => read(wire, pointer),
};

// Writing

const write = (action: Action): string => {
  const refuse = (reason: string): never => {
    throw new ActionFormatError(FORMAT, action, reason);
  };
  const xy = ({ x, y }: Point) => `${x}, ${y}`;
  assertWhole(action, FORMAT);
  switch (action.kind) {
    case 'click':
      return `pyautogui.click(${xy(action.at)})`;
    case 'double_click':
      return `pyautogui.doubleClick(${xy(action.at)})`;
    case 'right_click':
      return `pyautogui.rightClick(${xy(action.at)})`;
    case 'middle_click':
      return `pyautogui.middleClick(${xy(action.at)})`;
    case 'triple_click':
      return `pyautogui.tripleClick(${xy(action.at)})`;
    case 'move':
      return `pyautogui.moveTo(${xy(action.at)})`;
    case 'drag':
      // Most applications miss a drag without a duration.
      return `pyautogui.moveTo(${xy(action.from)})\npyautogui.dragTo(${xy(action.to)}, duration=1.0, button='left')`;
    case 'type':
      return TYPEABLE.test(action.text)
        ? `pyautogui.write(${quoted(action.text)})`
        : `import pyperclip\npyperclip.copy(${quoted(action.text)})\npyautogui.hotkey('ctrl', 'v')`;
    case 'hotkey': {
      const keys = action.keys.map(key => quoted(key === 'space' ? ' ' : key));
      return `pyautogui.${keys.length === 1 ? 'press' : 'hotkey'}(${keys.join(', ')})`;
    }
    case 'scroll': {
      const sideways = action.direction === 'left' || action.direction === 'right';
      const sign = action.direction === 'up' || action.direction === 'right' ? '' : '-';
      return `pyautogui.${sideways ? 'hscroll' : 'scroll'}(${sign}${action.notches}, ${xy(action.at)})`;
    }
    case 'wait':
      return 'WAIT';
    case 'finished':
      return action.answer === '' ? 'DONE' : refuse('DONE cannot carry an answer: encode wordless(action)');
    case 'fail':
      return action.why === '' ? 'FAIL' : refuse('FAIL cannot carry a reason: encode wordless(action)');
    case 'none':
      return refuse('there is no code for a turn without an action: omit it');
  }
};

const TYPEABLE = /^[\x20-\x7e\n\t]*$/;

// Reading

const WORDS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['WAIT', { kind: 'wait' }],
  ['DONE', { kind: 'finished', answer: '' }],
  ['FAIL', { kind: 'fail', why: '' }],
]);
const IMPORT = /(?:import|from)[ \t][\w ,.]*/y;
const SETTING = /pyautogui\.(?:FAILSAFE|PAUSE)\s*=\s*[\w.]+/y;
const SEPARATOR = /;/y;

const read = (wire: string, pointer: Point | undefined): readonly Action[] => {
  const word = WORDS.get(wire.trim());
  if (word !== undefined) return [word];
  const reader = new CallReader(FORMAT, wire, 'strict');
  const gestures: Gesture[] = [];
  while (!reader.atEnd()) {
    if (reader.match(SEPARATOR) ?? reader.match(IMPORT) ?? reader.match(SETTING)) continue;
    // A string alone is a comment: UI-TARS's converter writes the thought there.
    if (reader.startsString()) reader.literal();
    else gestures.push(...new CodeCall(reader).gestures());
  }
  return fold(gestures, { pointer }, reason => reader.fail(reason));
};

/** Positional parameters of each function. */
const FUNCTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['pyautogui.click', ['x', 'y', 'clicks', 'interval', 'button', 'duration']],
  ['pyautogui.doubleClick', ['x', 'y', 'interval', 'button', 'duration']],
  ['pyautogui.rightClick', ['x', 'y', 'interval', 'duration']],
  ['pyautogui.middleClick', ['x', 'y', 'interval', 'duration']],
  ['pyautogui.tripleClick', ['x', 'y', 'interval', 'button', 'duration']],
  ['pyautogui.moveTo', ['x', 'y', 'duration']],
  ['pyautogui.dragTo', ['x', 'y', 'duration', 'tween', 'button', 'mouseDownUp']],
  ['pyautogui.mouseDown', ['x', 'y', 'button', 'duration']],
  ['pyautogui.mouseUp', ['x', 'y', 'button', 'duration']],
  ['pyautogui.scroll', ['clicks', 'x', 'y']],
  ['pyautogui.vscroll', ['clicks', 'x', 'y']],
  ['pyautogui.hscroll', ['clicks', 'x', 'y']],
  ['pyautogui.write', ['message', 'interval']],
  ['pyautogui.typewrite', ['message', 'interval']],
  ['pyautogui.press', ['keys', 'presses', 'interval']],
  ['pyautogui.keyDown', ['key']],
  ['pyautogui.keyUp', ['key']],
  ['pyautogui.hotkey', []],
  ['pyautogui.sleep', ['seconds']],
  ['time.sleep', ['seconds']],
  ['pyperclip.copy', ['text']],
]);

/** Bounds the number of steps from one call. */
const MAX_PRESSES_PER_CALL = 100;

class CodeCall {
  readonly #call: Call;
  readonly #values: ReadonlyMap<string, Literal>;

  constructor(readonly reader: CallReader) {
    this.#call = reader.call();
    this.#values = this.#bound();
  }

  gestures(): readonly Gesture[] {
    const button = this.#button();
    switch (this.#call.name) {
      case 'pyautogui.click':
        return [{ kind: 'click', button, count: this.#number('clicks') ?? 1, ...this.#at() }];
      case 'pyautogui.doubleClick':
        return [{ kind: 'click', button, count: 2, ...this.#at() }];
      case 'pyautogui.rightClick':
        return [{ kind: 'click', button: 'right', count: 1, ...this.#at() }];
      case 'pyautogui.middleClick':
        return [{ kind: 'click', button: 'middle', count: 1, ...this.#at() }];
      case 'pyautogui.tripleClick':
        return [{ kind: 'click', button, count: 3, ...this.#at() }];
      case 'pyautogui.moveTo':
        return [{ kind: 'move', to: this.#at().at ?? this.#refuse('has no position: add x and y') }];
      case 'pyautogui.dragTo':
        return [{ kind: 'drag', to: this.#at().at ?? this.#refuse('has no position: add x and y'), button }];
      case 'pyautogui.mouseDown':
        return [{ kind: 'button_down', button, ...this.#at() }];
      case 'pyautogui.mouseUp':
        return [{ kind: 'button_up', button, ...this.#at() }];
      case 'pyautogui.scroll':
      case 'pyautogui.vscroll':
        return [{ kind: 'scroll', right: 0, up: this.#whole('clicks'), ...this.#at() }];
      case 'pyautogui.hscroll':
        return [{ kind: 'scroll', right: this.#whole('clicks'), up: 0, ...this.#at() }];
      case 'pyautogui.press':
        return this.#presses();
      case 'pyautogui.hotkey':
        return [{ kind: 'keys', keys: keysNamed(this.#call.positional.flatMap(this.#names), this.#refuse) }];
      case 'pyautogui.keyDown':
        return [{ kind: 'key_down', key: keyNamed(this.#text('key'), this.#refuse) }];
      case 'pyautogui.keyUp':
        return [{ kind: 'key_up', key: keyNamed(this.#text('key'), this.#refuse) }];
      case 'pyperclip.copy':
        return [{ kind: 'copy', text: this.#text('text') }];
      case 'time.sleep':
      case 'pyautogui.sleep':
        return [{ kind: 'pause' }];
      default:
        return this.#typed();
    }
  }

  #bound(): ReadonlyMap<string, Literal> {
    const { name, positional, named } = this.#call;
    const parameters = FUNCTIONS.get(name);
    if (parameters === undefined) {
      return this.reader.fail(`${name} cannot be read: use one of ${[...FUNCTIONS.keys()].join(', ')}`);
    }
    if (name === 'pyautogui.hotkey') return named;
    const values = new Map(named);
    positional.forEach((value, index) => {
      // pyautogui also accepts a position as one pair.
      if (parameters[index] === 'x' && isList(value)) values.set('x', value);
      else values.set(parameters[index] ?? this.#refuse('has too many arguments: remove some'), value);
    });
    for (const name of values.keys())
      if (!parameters.includes(name)) this.#refuse(`does not take ${name}: remove it`);
    return values;
  }

  #at(): { readonly at?: Point } {
    const first = this.#values.get('x');
    const [x, y] = isList(first) ? first : [first, this.#values.get('y')];
    if ((x ?? null) === null && (y ?? null) === null) return {};
    return { at: pixel(x, y, this.#refuse) };
  }

  #button(): Button {
    const name = this.#values.get('button') ?? 'left';
    const button = BUTTONS.find(known => known === name);
    return button ?? this.#refuse('needs the button left, right or middle');
  }

  #presses(): readonly Gesture[] {
    const times = this.#number('presses') ?? 1;
    if (times < 1 || times > MAX_PRESSES_PER_CALL)
      this.#refuse(`presses ${times} times: 1 to ${MAX_PRESSES_PER_CALL} is allowed`);
    const names = this.#names(this.#values.get('keys') ?? this.#refuse('has no key: add keys'));
    const once = names.map((name): Gesture => ({ kind: 'keys', keys: keysNamed([name], this.#refuse) }));
    return Array.from({ length: times }, () => once).flat();
  }

  #typed(): readonly Gesture[] {
    const message = this.#values.get('message') ?? this.#refuse('has no text: add message');
    if (typeof message === 'string') return [{ kind: 'type', text: message }];
    return this.#names(message).map(name => ({ kind: 'keys', keys: keysNamed([name], this.#refuse) }));
  }

  readonly #names = (value: Literal): readonly string[] => {
    const values = isList(value) ? value : [value];
    return values.map(name =>
      typeof name === 'string' ? name : this.#refuse('has a key without quotes: add quotes'),
    );
  };

  #text(name: string): string {
    const value = this.#values.get(name);
    return typeof value === 'string' ? value : this.#refuse(`needs ${name} as a string in quotes`);
  }

  #number(name: string): number | undefined {
    return this.#values.has(name) ? this.#whole(name) : undefined;
  }

  #whole(name: string): number {
    const value = this.#values.get(name);
    return typeof value === 'number' && Number.isSafeInteger(value)
      ? value
      : this.#refuse(`needs ${name} as a whole number`);
  }

  readonly #refuse = (reason: string): never => this.reader.fail(`${this.#call.name} ${reason}`);
}

const BUTTONS: readonly Button[] = ['left', 'right', 'middle'];
