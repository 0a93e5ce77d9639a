// Performs programs on a desktop, one after another. The pointer, pressed buttons and pressed keys outlast a program, because clients
// press and release in separate requests.

import type { Clock } from '../../core/clock.ts';
import type { Point, Size } from '../../core/screen.ts';
import {
  BUTTON,
  type InputBurst,
  type InputEvent,
  MAX_EVENTS_PER_BURST,
  pressedMoves,
  WHEEL,
} from '../../environments/docker/input.ts';
import type { InputProgram, InputStep, PrintedValue, ProgramKey } from './input-program.ts';
import { keysymOfProgramKey } from './program-keys.ts';

/** The part of a desktop that receives input. */
export interface InputSink {
  readonly size: Size;
  /** Resolves when the desktop has received the events. */
  perform(bursts: readonly InputBurst[]): Promise<void>;
  setClipboard(text: string): Promise<void>;
}

export class Performer {
  readonly #sink: InputSink;
  readonly #clock: Clock;
  /** Pressed keys by name, with the keysym that presses them. */
  readonly #keys = new Map<string, number>();
  #pointer: Point;
  #buttons = 0;
  #isShifted = false;
  #events: InputEvent[] = [];

  constructor(sink: InputSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
    // Where a new session puts it.
    this.#pointer = { x: sink.size.width - 1, y: sink.size.height >> 1 };
  }

  get pointer(): Point {
    return this.#pointer;
  }

  /** Resolves with the printed text once the desktop has received all input. One program at a time. */
  async perform({ steps }: InputProgram): Promise<string> {
    let printed = '';
    // A failed program leaves none of its events to the next one.
    this.#events = [];
    for (const step of steps) {
      if (step.kind === 'print') printed += this.#print(step.what);
      else await this.#step(step);
    }
    await this.#flush();
    return printed;
  }

  async #step(step: Exclude<InputStep, { readonly kind: 'print' }>): Promise<void> {
    switch (step.kind) {
      case 'move':
        return this.#move(this.#target(step));
      case 'button': {
        const bit = BUTTON[step.button];
        this.#buttons = step.down ? this.#buttons | bit : this.#buttons & ~bit;
        return this.#send(this.#pointerEvent());
      }
      case 'wheel': {
        const turned = this.#pointerEvent(this.#buttons | WHEEL[step.direction]);
        for (let notch = 0; notch < step.notches; notch++) await this.#send(turned, this.#pointerEvent());
        return;
      }
      case 'key':
        return this.#send(this.#keyEvent(step.key, step.down));
      case 'copy':
        await this.#flush();
        return this.#sink.setClipboard(step.text);
      case 'pause':
        await this.#flush();
        return this.#clock.sleep(step.seconds * 1000);
    }
  }

  #target({ x, y, isRelative }: Extract<InputStep, { readonly kind: 'move' }>): Point {
    const { width, height } = this.#sink.size;
    const from = this.#pointer;
    const moved = isRelative
      ? { x: from.x + (x ?? 0), y: from.y + (y ?? 0) }
      : { x: x ?? from.x, y: y ?? from.y };
    // The X server keeps the pointer on the screen.
    return {
      x: Math.min(Math.max(moved.x, 0), width - 1),
      y: Math.min(Math.max(moved.y, 0), height - 1),
    };
  }

  async #move(to: Point): Promise<void> {
    const from = this.#pointer;
    if (this.#buttons === 0) {
      this.#pointer = to;
      return this.#send(this.#pointerEvent());
    }
    await this.#flush();
    this.#pointer = to;
    await this.#sink.perform(pressedMoves(from, to, this.#buttons));
  }

  #keyEvent(key: ProgramKey, down: boolean): InputEvent {
    const name = key.kind === 'named' ? String(key.keysym) : key.character;
    if (key.kind === 'named' && key.isShift === true) this.#isShifted = down;
    // A key is released as it was pressed, whatever happened to shift in between.
    const keysym = (down ? undefined : this.#keys.get(name)) ?? keysymOfProgramKey(key, this.#isShifted);
    if (down) this.#keys.set(name, keysym);
    else this.#keys.delete(name);
    return { kind: 'key', keysym, down };
  }

  #pointerEvent(buttons = this.#buttons): InputEvent {
    return { kind: 'pointer', at: this.#pointer, buttons };
  }

  async #send(...events: readonly InputEvent[]): Promise<void> {
    this.#events.push(...events);
    if (this.#events.length >= MAX_EVENTS_PER_BURST) await this.#flush();
  }

  async #flush(): Promise<void> {
    const events = this.#events;
    if (events.length === 0) return;
    this.#events = [];
    await this.#sink.perform([{ events, until: 'forwarded' }]);
  }

  #print(what: PrintedValue): string {
    switch (what.kind) {
      case 'text':
        return what.text;
      case 'position':
        return `Point(x=${this.#pointer.x}, y=${this.#pointer.y})`;
      case 'size':
        return `Size(width=${this.#sink.size.width}, height=${this.#sink.size.height})`;
    }
  }
}
