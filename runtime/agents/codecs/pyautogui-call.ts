// Interprets one call of a pyautogui program: pyautogui.click(10, 20). Code is parsed, never run.

import type { Action } from '../../core/action.ts';
import type { Point } from '../../core/screen.ts';
import { type Call, type CallReader, isList, type Literal } from './call.ts';
import type { Button, Gesture } from './gesture.ts';
import { keyNamed, keysNamed } from './keys.ts';

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
  // The functions that OpenCUA adds.
  ['computer.triple_click', ['x', 'y']],
  ['computer.tripleClick', ['x', 'y']],
  ['computer.wait', ['seconds']],
  ['computer.terminate', ['status', 'answer']],
  ['computer.call_user', ['question']],
]);

/** Models write these names too. pyautogui does not know them, so nothing else can be meant. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['write', 'typewrite'].flatMap(name =>
    ['text', 'content'].map(other => [`pyautogui.${name} ${other}`, 'message'] as const),
  ),
  ...['key', 'button'].map(other => [`pyautogui.press ${other}`, 'keys'] as const),
]);
const HOTKEY_NAMES = ['keys', 'key1', 'key2', 'key3'];

/** Bounds the number of steps from one call. */
const MAX_PRESSES_PER_CALL = 100;

/** The screen pixel of two numbers. Refuses anything else. */
export type Placement = (x: unknown, y: unknown, refuse: (reason: string) => never) => Point;

/** Reads the next call. */
export const gesturesOfCall = (
  reader: CallReader,
  place: Placement,
  maxNotches: number,
): readonly Gesture[] => new CodeCall(reader, place, maxNotches).gestures();

class CodeCall {
  readonly #call: Call;
  readonly #values: ReadonlyMap<string, Literal>;

  constructor(
    readonly reader: CallReader,
    readonly place: Placement,
    readonly maxNotches: number,
  ) {
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
      case 'computer.triple_click':
      case 'computer.tripleClick':
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
        return [{ kind: 'scroll', right: 0, up: this.#notches(), ...this.#at() }];
      case 'pyautogui.hscroll':
        return [{ kind: 'scroll', right: this.#notches(), up: 0, ...this.#at() }];
      case 'pyautogui.press':
        return this.#presses();
      case 'pyautogui.hotkey':
        return [{ kind: 'keys', keys: keysNamed(this.#hotkeys().flatMap(this.#names), this.#refuse) }];
      case 'pyautogui.keyDown':
        return [{ kind: 'key_down', key: keyNamed(this.#text('key'), this.#refuse) }];
      case 'pyautogui.keyUp':
        return [{ kind: 'key_up', key: keyNamed(this.#text('key'), this.#refuse) }];
      case 'pyperclip.copy':
        return [{ kind: 'copy', text: this.#text('text') }];
      case 'time.sleep':
      case 'pyautogui.sleep':
        return [{ kind: 'pause' }];
      case 'computer.wait':
        return [{ kind: 'action', action: { kind: 'wait' } }];
      case 'computer.terminate':
        return [{ kind: 'action', action: this.#end() }];
      case 'computer.call_user':
        return [{ kind: 'action', action: { kind: 'fail', why: this.#optionalText('question') } }];
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
    if (name === 'pyautogui.hotkey') {
      const unknown = [...named.keys()].find(each => ![...HOTKEY_NAMES, 'interval'].includes(each));
      return unknown === undefined ? named : this.#refuse(`does not take ${unknown}: remove it`);
    }
    const values = new Map(
      [...named].map(([given, value]) => [OTHER_NAMES.get(`${name} ${given}`) ?? given, value]),
    );
    positional.forEach((value, index) => {
      // pyautogui also accepts a position as one pair.
      if (parameters[index] === 'x' && isList(value)) values.set('x', value);
      else values.set(parameters[index] ?? this.#refuse('has too many arguments: remove some'), value);
    });
    for (const name of values.keys())
      if (!parameters.includes(name)) this.#refuse(`does not take ${name}: remove it`);
    return values;
  }

  #hotkeys(): readonly Literal[] {
    return [...this.#call.positional, ...HOTKEY_NAMES.flatMap(name => this.#values.get(name) ?? [])];
  }

  #at(): { readonly at?: Point } {
    const first = this.#values.get('x');
    const [x, y] = isList(first) ? first : [first, this.#values.get('y')];
    if ((x ?? null) === null && (y ?? null) === null) return {};
    return { at: this.place(x, y, this.#refuse) };
  }

  #button(): Button {
    const name = this.#values.get('button') ?? 'left';
    const button = BUTTONS.find(known => known === name);
    return button ?? this.#refuse('needs the button left, right or middle');
  }

  #notches(): number {
    const clicks = this.#whole('clicks');
    if (Math.abs(clicks) > this.maxNotches)
      this.#refuse(`scrolls ${Math.abs(clicks)} notches: at most ${this.maxNotches} are allowed`);
    return clicks;
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

  #end(): Action {
    const status = this.#text('status').trim().toLowerCase();
    const answer = this.#optionalText('answer');
    if (status === 'success') return { kind: 'finished', answer };
    if (['failure', 'fail'].includes(status)) return { kind: 'fail', why: answer };
    return this.#refuse(`has the status ${JSON.stringify(status)}: use success or failure`);
  }

  #optionalText(name: string): string {
    return (this.#values.get(name) ?? null) === null ? '' : this.#text(name);
  }

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
