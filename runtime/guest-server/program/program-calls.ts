// The calls of a program as steps. Pure.

import { type Call, isList, type Literal } from '../../agents/codecs/call.ts';
import type { Button } from '../../agents/codecs/gesture.ts';
import type { InputStep, ProgramKey } from './input-program.ts';
import { PARAMETERS, UNPAUSED } from './program-functions.ts';
import { keysOfText, programKey } from './program-keys.ts';

const MAX_REPETITIONS = 1000;
const BUTTONS: readonly Button[] = ['left', 'right', 'middle'];
/** pyautogui has these names for the left button, too. */
const LEFT_NAMES: readonly Literal[] = ['primary', 1];

type Refuse = (reason: string) => never;

/** The steps of a call. `refuse` throws the caller's error. `pause` is pyautogui.PAUSE in seconds. */
export function stepsOfCall(call: Call, pause: number, refuse: Refuse): readonly InputStep[] {
  const parameters = PARAMETERS.get(call.name);
  if (parameters === undefined)
    return refuse(
      `${call.name} is not known here: use pyautogui's functions for mouse and keyboard, time.sleep, pyperclip.copy or print`,
    );
  const because: Refuse = reason => refuse(`${call.name} ${reason}`);
  const steps = new CallSteps(call, parameters, because).steps();
  return UNPAUSED.includes(call.name) ? steps : [...steps, ...pauseOf(pause)];
}

class CallSteps {
  readonly #call: Call;
  readonly #refuse: Refuse;
  readonly #values: ReadonlyMap<string, Literal>;

  constructor(call: Call, parameters: readonly string[], refuse: Refuse) {
    this.#call = call;
    this.#refuse = refuse;
    this.#values = this.#bound(parameters);
  }

  steps(): readonly InputStep[] {
    const name = this.#call.name.replace(/^pyautogui\./, '');
    switch (name) {
      case 'click':
        return this.#click(this.#button(), this.#count('clicks'));
      case 'leftClick':
        return this.#click('left', 1);
      case 'rightClick':
        return this.#click('right', 1);
      case 'middleClick':
        return this.#click('middle', 1);
      case 'doubleClick':
        return this.#click(this.#button(), 2);
      case 'tripleClick':
        return this.#click(this.#button(), 3);
      case 'moveTo':
      case 'moveRel':
      case 'move':
        return this.#move();
      case 'dragTo':
      case 'dragRel':
      case 'drag':
        return this.#drag();
      case 'mouseDown':
        return [...this.#move(), { kind: 'button', button: this.#button(), down: true }];
      case 'mouseUp':
        return [...this.#move(), { kind: 'button', button: this.#button(), down: false }];
      case 'scroll':
      case 'vscroll':
        return this.#scroll('up', 'down');
      case 'hscroll':
        return this.#scroll('right', 'left');
      case 'keyDown':
        return [{ kind: 'key', key: this.#key(this.#text('key')), down: true }];
      case 'keyUp':
        return [{ kind: 'key', key: this.#key(this.#text('key')), down: false }];
      case 'press':
        return this.#press();
      case 'write':
      case 'typewrite':
        return this.#write();
      case 'hotkey':
        return this.#hotkey();
      case 'position':
      case 'size':
        return [];
      case 'pyperclip.copy':
        return [{ kind: 'copy', text: this.#text('text') }];
      default:
        return pauseOf(this.#seconds('seconds'));
    }
  }

  #bound(parameters: readonly string[]): ReadonlyMap<string, Literal> {
    const { name, positional, named } = this.#call;
    if (name === 'pyautogui.hotkey') return named;
    const values = new Map(named);
    for (const [index, value] of positional.entries()) {
      const parameter = parameters[index] ?? this.#refuse('has too many arguments: remove some');
      if (values.has(parameter)) this.#refuse(`has the argument ${parameter} twice: write it once`);
      values.set(parameter, value);
    }
    for (const parameter of values.keys())
      if (!parameters.includes(parameter)) this.#refuse(`does not take ${parameter}: remove it`);
    return values;
  }

  #click(button: Button, count: number): readonly InputStep[] {
    const click: readonly InputStep[] = [
      { kind: 'button', button, down: true },
      { kind: 'button', button, down: false },
    ];
    return [...this.#move(), ...this.#repeated(click, count)];
  }

  /** Empty without a position. */
  #move(): readonly InputStep[] {
    const isRelative = this.#values.has('xOffset') || this.#values.has('yOffset');
    const first = this.#values.get('x') ?? this.#values.get('xOffset');
    // pyautogui also accepts a position as one pair.
    const [x, y] = isList(first) ? first : [first, this.#values.get('y') ?? this.#values.get('yOffset')];
    const [across, down] = [this.#coordinate(x), this.#coordinate(y)];
    const pause = pauseOf(this.#seconds('duration'));
    if (across === undefined && down === undefined) return pause;
    return [
      {
        ...{ kind: 'move', isRelative },
        ...(across !== undefined && { x: across }),
        ...(down !== undefined && { y: down }),
      },
      ...pause,
    ];
  }

  #drag(): readonly InputStep[] {
    const [button, move] = [this.#button(), this.#move()];
    if (this.#values.get('mouseDownUp') === false) return move;
    return [{ kind: 'button', button, down: true }, ...move, { kind: 'button', button, down: false }];
  }

  #scroll(forward: 'up' | 'right', back: 'down' | 'left'): readonly InputStep[] {
    const clicks = this.#number('clicks') ?? this.#refuse('has no distance: add clicks');
    const notches = Math.abs(Math.trunc(clicks));
    if (notches > MAX_REPETITIONS) this.#refuse(`scrolls ${notches} notches: at most ${MAX_REPETITIONS}`);
    const direction = clicks > 0 ? forward : back;
    return notches === 0 ? this.#move() : [...this.#move(), { kind: 'wheel', direction, notches }];
  }

  #press(): readonly InputStep[] {
    const keys = this.#names(this.#values.get('keys') ?? this.#refuse('has no key: add keys'));
    const once = keys.flatMap(name => pressed(this.#key(name)));
    return this.#repeated(once, this.#count('presses'));
  }

  #write(): readonly InputStep[] {
    const message = this.#values.get('message') ?? this.#refuse('has no text: add message');
    const keys = isList(message)
      ? this.#names(message).map(name => this.#key(name))
      : keysOfText(typeof message === 'string' ? message : this.#refuse('needs the message in quotes'));
    const interval = this.#seconds('interval');
    return keys.flatMap(key => [...pressed(key), ...pauseOf(interval)]);
  }

  #hotkey(): readonly InputStep[] {
    const keys = this.#call.positional.flatMap(value => this.#names(value)).map(name => this.#key(name));
    if (keys.length === 0) this.#refuse('has no keys: add at least one');
    const interval = this.#seconds('interval');
    return [
      ...keys.flatMap((key): InputStep[] => [{ kind: 'key', key, down: true }, ...pauseOf(interval)]),
      ...keys
        .toReversed()
        .flatMap((key): InputStep[] => [{ kind: 'key', key, down: false }, ...pauseOf(interval)]),
    ];
  }

  #repeated(steps: readonly InputStep[], times: number): readonly InputStep[] {
    const each = [...steps, ...pauseOf(this.#seconds('interval'))];
    return Array.from({ length: times }, () => each).flat();
  }

  #key(name: string): ProgramKey {
    return (
      programKey(name) ?? this.#refuse(`has no key ${JSON.stringify(name)}: use a name such as enter or f5`)
    );
  }

  #names(value: Literal): readonly string[] {
    return (isList(value) ? value : [value]).map(name =>
      typeof name === 'string' ? name : this.#refuse('has a key without quotes: add quotes'),
    );
  }

  #button(): Button {
    const name = this.#values.get('button') ?? 'left';
    if (LEFT_NAMES.includes(name)) return 'left';
    const button = BUTTONS.find(known => known === name || (name === 'secondary' && known === 'right'));
    return button ?? this.#refuse('needs the button left, right or middle');
  }

  #text(parameter: string): string {
    const value = this.#values.get(parameter);
    return typeof value === 'string' ? value : this.#refuse(`needs ${parameter} as a string in quotes`);
  }

  #count(parameter: string): number {
    const count = this.#number(parameter) ?? 1;
    if (Number.isInteger(count) && count >= 0 && count <= MAX_REPETITIONS) return count;
    return this.#refuse(`needs ${parameter} as a whole number from 0 to ${MAX_REPETITIONS}`);
  }

  #seconds(parameter: string): number {
    const seconds = this.#number(parameter) ?? 0;
    return seconds >= 0 ? seconds : this.#refuse(`needs ${parameter} as seconds from 0`);
  }

  #number(parameter: string): number | undefined {
    const value = this.#values.get(parameter) ?? null;
    if (value === null) return undefined;
    return typeof value === 'number' ? value : this.#refuse(`needs ${parameter} as a number`);
  }

  /** Fractions are truncated, as pyautogui does. */
  #coordinate(value: Literal | undefined): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isFinite(value)) return Math.trunc(value);
    return this.#refuse('needs a position of two numbers');
  }
}

const pressed = (key: ProgramKey): readonly InputStep[] => [
  { kind: 'key', key, down: true },
  { kind: 'key', key, down: false },
];

const pauseOf = (seconds: number): readonly InputStep[] => (seconds > 0 ? [{ kind: 'pause', seconds }] : []);
