// The stack of windows: where each stands, which is in front, and which widget of each has the focus. What is in a window
// is the application's.

import type { Box, Point } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import type { App } from './app.ts';
import { TASKBAR_HEIGHT } from './taskbar.ts';

export interface AppWindow {
  readonly app: App;
  readonly box: Box;
  readonly minimised: boolean;
  /** The key of the widget that hears the keyboard, in the window and in its dialog. */
  focus: string | undefined;
  dialogFocus: string | undefined;
  /** The dialog that was in front when the scene was last composed. */
  dialogTitle: string | undefined;
}

/** So much of a window always stays on the screen, to be taken hold of. */
const GRIP: Point = { x: 30, y: 14 };

/** As only this file may write it: whoever moves windows about is counted by their arrangement. */
type Standing = { -readonly [Key in keyof AppWindow]: AppWindow[Key] };

export class Windows {
  readonly #screen: Box;
  /** From back to front. */
  #stack: Standing[] = [];
  #opened = 0;
  #arrangement = 0;

  constructor(screen: Box) {
    this.#screen = screen;
  }

  get all(): readonly AppWindow[] {
    return this.#stack;
  }

  /** Those that can be seen, from back to front. */
  get visible(): readonly AppWindow[] {
    return this.#stack.filter(window => !window.minimised);
  }

  /** Another number whenever windows were opened, closed, raised, minimised or moved. */
  get arrangement(): number {
    return this.#arrangement;
  }

  /** The one that hears the keyboard. */
  get active(): AppWindow | undefined {
    return this.#stack.findLast(window => !window.minimised);
  }

  /** The height above the task bar. */
  get room(): number {
    return this.#screen.height - TASKBAR_HEIGHT;
  }

  /** Opens an application's window, or brings it to the front. */
  open(app: App): void {
    const known = this.#stack.find(window => window.app === app);
    if (known !== undefined) {
      this.raise(known);
      return;
    }
    this.#arrangement += 1;
    const area = this.#placeFor(app);
    const [dialogFocus, dialogTitle] = [undefined, undefined];
    this.#stack.push({ app, box: area, minimised: false, focus: app.focus, dialogFocus, dialogTitle });
  }

  /** Windows open one a little below and beside the other, and never beyond the screen. */
  #placeFor({ size }: App): Box {
    const width = Math.min(size.width, this.#screen.width);
    const height = Math.min(size.height, this.room);
    const step = (this.#opened++ % 5) * 14;
    const x = Math.min(8 + step, this.#screen.width - width);
    const y = Math.min(6 + Math.floor(step * 0.8), this.room - height);
    return box(Math.max(0, x), Math.max(0, y), width, height);
  }

  raise(window: Standing): void {
    this.#arrangement += 1;
    window.minimised = false;
    this.#stack = [...this.#stack.filter(each => each !== window), window];
  }

  minimise(window: Standing): void {
    this.#arrangement += 1;
    window.minimised = true;
  }

  /** Closes a window, unless its application wants to ask first. */
  close(window: AppWindow): void {
    if (window.app.mayClose?.() === false) return;
    this.drop(window.app.id);
  }

  /** Closes the window of an application that has asked already. */
  drop(id: string): void {
    this.#arrangement += 1;
    this.#stack = this.#stack.filter(({ app }) => app.id !== id);
  }

  move(window: Standing, by: Point): void {
    this.#arrangement += 1;
    window.box = this.kept({ ...window.box, x: window.box.x + by.x, y: window.box.y + by.y });
  }

  /** On the screen, and with its title bar within reach. */
  kept(area: Box): Box {
    const x = Math.max(GRIP.x - area.width, Math.min(this.#screen.width - GRIP.x, area.x));
    const y = Math.max(0, Math.min(this.room - GRIP.y, area.y));
    return { ...area, x, y };
  }
}
