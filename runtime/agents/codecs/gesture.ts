// Folds mouse and keyboard gestures of pyautogui, computer_13 and computer_use into actions. An action is self-contained: it has a position and
// leaves no button or key pressed. Gestures that do not form such actions are rejected. The codecs parse the gestures.

import type { Action, Direction, Keys } from '../../core/action.ts';
import type { Key } from '../../core/key.ts';
import { type Point, samePoint } from '../../core/screen.ts';

export type Button = 'left' | 'right' | 'middle';

export type Gesture =
  | { readonly kind: 'move'; readonly to: Point }
  | { readonly kind: 'click'; readonly button: Button; readonly count: number; readonly at?: Point }
  | { readonly kind: 'button_down' | 'button_up'; readonly button: Button; readonly at?: Point }
  | { readonly kind: 'drag'; readonly to: Point; readonly button: Button }
  /** Notches; negative is left or down. */
  | { readonly kind: 'scroll'; readonly right: number; readonly up: number; readonly at?: Point }
  | { readonly kind: 'keys'; readonly keys: Keys }
  | { readonly kind: 'key_down' | 'key_up'; readonly key: Key }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'type'; readonly text: string }
  /** A pause between gestures is ignored; a pause alone is a wait. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'action'; readonly action: Action };

export interface Places {
  /** The current pointer position, if known. */
  readonly pointer?: Point | undefined;
  /** The position of a scroll at an unknown pointer; without it, such a scroll is rejected. */
  readonly scrollAt?: Point | undefined;
}

/** Returns at least one action. `refuse` throws the caller's error with the reason why the gestures are not actions. */
export const fold = (
  gestures: readonly Gesture[],
  places: Places,
  refuse: (reason: string) => never,
): readonly Action[] => {
  const folder = new GestureFolder(places, refuse);
  for (const gesture of gestures) folder.perform(gesture);
  return folder.finish();
};

class GestureFolder {
  readonly #actions: Action[] = [];
  readonly #refuse: (reason: string) => never;
  readonly #scrollAt: Point | undefined;
  #pointer: Point | undefined;
  #moved = false; // a move that no later gesture has used yet
  #button: { readonly name: Button; readonly from: Point } | undefined;
  #pressed: readonly Key[] = [];
  #chord: readonly Key[] = [];
  #released = false;
  #clipboard: string | undefined;
  #paused = false;

  constructor({ pointer, scrollAt }: Places, refuse: (reason: string) => never) {
    this.#pointer = pointer;
    this.#scrollAt = scrollAt;
    this.#refuse = refuse;
  }

  perform(gesture: Gesture): void {
    if (this.#pressed.length > 0 && !['keys', 'key_down', 'key_up', 'pause'].includes(gesture.kind)) {
      this.#refuse(
        `a ${gesture.kind} while ${this.#pressed.join(' ')} is pressed is not supported: release the keys first`,
      );
    }
    if (this.#button !== undefined && !['move', 'button_up', 'pause'].includes(gesture.kind)) {
      this.#refuse(
        `a ${gesture.kind} while the ${this.#button.name} button is pressed is not supported: release the button first`,
      );
    }
    switch (gesture.kind) {
      case 'move':
        this.#moveTo(gesture.to);
        return;
      case 'click':
        this.#emit(this.#clickOf(gesture.button, gesture.count, this.#place(gesture.at, 'click')));
        return;
      case 'button_down':
        this.#button = { name: gesture.button, from: this.#place(gesture.at, 'button press') };
        return;
      case 'button_up':
        this.#releaseButton(gesture.button, gesture.at);
        return;
      case 'drag': {
        const from = this.#place(undefined, 'drag');
        this.#drag(gesture.button, from, gesture.to);
        return;
      }
      case 'scroll':
        this.#scroll(gesture.right, gesture.up, gesture.at);
        return;
      case 'keys':
        this.#press(gesture.keys);
        return;
      case 'key_down':
        if (this.#pressed.includes(gesture.key))
          this.#refuse(`${gesture.key} is pressed twice without a release: release it first`);
        this.#addToChord(gesture.key);
        this.#pressed = [...this.#pressed, gesture.key];
        return;
      case 'key_up':
        this.#release(gesture.key);
        return;
      case 'copy':
        this.#clipboard = gesture.text;
        return;
      case 'type':
        this.#emit({ kind: 'type', text: gesture.text });
        return;
      case 'pause':
        this.#paused = true;
        return;
      case 'action':
        this.#emit(gesture.action);
        return;
    }
  }

  finish(): readonly Action[] {
    if (this.#button !== undefined)
      this.#refuse(`the ${this.#button.name} button is never released: add its release`);
    if (this.#pressed.length > 0) this.#refuse(`${this.#pressed.join(' ')} is never released: use a hotkey`);
    if (this.#clipboard !== undefined)
      this.#refuse('text is copied to the clipboard but never pasted: press ctrl+v');
    this.#settleMove();
    if (this.#actions.length === 0 && this.#paused) this.#actions.push({ kind: 'wait' });
    if (this.#actions.length === 0) this.#refuse('no action found: write at least one');
    return this.#actions;
  }

  #emit(action: Action): void {
    this.#settleMove();
    this.#actions.push(action);
  }

  #settleMove(): void {
    if (this.#moved && this.#pointer !== undefined) this.#actions.push({ kind: 'move', at: this.#pointer });
    this.#moved = false;
  }

  #moveTo(point: Point): void {
    // Both of two moves are kept: only the second affects a click, but the first may open a menu.
    if (this.#button === undefined) {
      this.#settleMove();
      this.#moved = true;
    }
    this.#pointer = point;
  }

  /** The position of a gesture. A preceding move to the same position is part of the gesture. */
  #place(at: Point | undefined, what: string): Point {
    const pointer = this.#pointer;
    if (at === undefined) {
      this.#moved = false;
      return (
        pointer ??
        this.#refuse(`the ${what} has no position, and the pointer position is unknown: add x and y`)
      );
    }
    if (pointer !== undefined && samePoint(pointer, at)) this.#moved = false;
    else this.#settleMove();
    this.#pointer = at;
    return at;
  }

  #clickOf(button: Button, count: number, at: Point): Action {
    if (button === 'left' && count === 1) return { kind: 'click', at };
    if (button === 'left' && count === 2) return { kind: 'double_click', at };
    if (button === 'left' && count === 3) return { kind: 'triple_click', at };
    if (button === 'right' && count === 1) return { kind: 'right_click', at };
    if (button === 'middle' && count === 1) return { kind: 'middle_click', at };
    return this.#refuse(
      `${count} clicks of the ${button} button are not supported: use click, double, triple, right or middle click`,
    );
  }

  #drag(button: Button, from: Point, to: Point): void {
    if (button !== 'left')
      this.#refuse(`a drag with the ${button} button is not supported: use the left button`);
    this.#emit({ kind: 'drag', from, to });
    this.#pointer = to;
  }

  #releaseButton(button: Button, at: Point | undefined): void {
    const pressed = this.#button;
    if (pressed === undefined || pressed.name !== button) {
      this.#refuse(`the ${button} button is released but was not pressed: press it first`);
    }
    const to = at ?? this.#pointer ?? pressed.from;
    this.#button = undefined;
    if (samePoint(pressed.from, to)) this.#emit(this.#clickOf(button, 1, to));
    else this.#drag(button, pressed.from, to);
  }

  #scroll(right: number, up: number, place: Point | undefined): void {
    const at = this.#place(place ?? (this.#pointer === undefined ? this.#scrollAt : undefined), 'scroll');
    if (right === 0 && up === 0) this.#refuse('the scroll distance is 0: use at least one notch');
    if (up !== 0) this.#emit(scrollOf(at, up > 0 ? 'up' : 'down', up));
    if (right !== 0) this.#emit(scrollOf(at, right > 0 ? 'right' : 'left', right));
  }

  #press(keys: Keys): void {
    if (this.#pressed.length > 0) {
      for (const key of keys) this.#addToChord(key);
      this.#released = true;
      return;
    }
    if (this.#clipboard !== undefined && keys.join(' ') === 'ctrl v') {
      this.#emit({ kind: 'type', text: this.#clipboard });
      this.#clipboard = undefined;
      return;
    }
    const last = this.#actions.at(-1);
    if (last?.kind === 'type' && !this.#moved && keys.join(' ') === 'enter') {
      // Enter after text replaces the line break that pasting or a runner removed from the end of the text.
      this.#actions[this.#actions.length - 1] = { kind: 'type', text: `${last.text}\n` };
      return;
    }
    this.#emit({ kind: 'hotkey', keys });
  }

  #addToChord(key: Key): void {
    if (this.#released) {
      this.#refuse(`several keys are pressed under ${this.#pressed.join(' ')}: use one hotkey for each`);
    }
    this.#chord = [...this.#chord, key];
  }

  #release(key: Key): void {
    if (!this.#pressed.includes(key)) this.#refuse(`${key} is released but was not pressed: use a hotkey`);
    this.#pressed = this.#pressed.filter(pressed => pressed !== key);
    this.#released = this.#pressed.length > 0;
    if (this.#pressed.length > 0) return;
    const [first, ...rest] = this.#chord;
    this.#chord = [];
    if (first !== undefined) this.#press([first, ...rest]);
  }
}

const scrollOf = (at: Point, direction: Direction, signed: number): Action => ({
  kind: 'scroll',
  at,
  direction,
  notches: Math.abs(signed),
});
