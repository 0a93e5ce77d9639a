// The stack of windows: position, order and focus of each. Their content belongs to the applications.

import type { Box, Point } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import type { App } from './app.ts';
import { TASKBAR_HEIGHT } from './taskbar.ts';

export interface AppWindow {
  readonly app: App;
  readonly box: Box;
  readonly minimised: boolean;
  /** The keys of the focused widgets of the window and of its dialog. */
  focus: string | undefined;
  dialogFocus: string | undefined;
  /** The title of the dialog in the last composed scene. */
  dialogTitle: string | undefined;
}

/** The part of a window that always stays on the screen. */
const MIN_ON_SCREEN: Point = { x: 30, y: 14 };

/** Only this file writes windows, since every change must update `arrangement`. */
type MutableWindow = { -readonly [Key in keyof AppWindow]: AppWindow[Key] };

export class Windows {
  /** From back to front. */
  #stack: MutableWindow[] = [];
  #opened = 0;
  #arrangement = 0;

  constructor(private readonly screen: Box) {}

  get all(): readonly AppWindow[] {
    return this.#stack;
  }

  /** From back to front, without minimised ones. */
  get visible(): readonly AppWindow[] {
    return this.#stack.filter(window => !window.minimised);
  }

  /** Changes whenever a window opens, closes, moves, is raised or minimised. */
  get arrangement(): number {
    return this.#arrangement;
  }

  /** The front window, which has the keyboard focus. */
  get active(): AppWindow | undefined {
    return this.#stack.findLast(window => !window.minimised);
  }

  /** The height above the task bar. */
  get height(): number {
    return this.screen.height - TASKBAR_HEIGHT;
  }

  /** Opens an application's window, or brings it to the front. */
  open(app: App): void {
    const open = this.#stack.find(window => window.app === app);
    if (open !== undefined) {
      this.raise(open);
      return;
    }
    this.#arrangement += 1;
    const area = this.#placeFor(app);
    const [dialogFocus, dialogTitle] = [undefined, undefined];
    this.#stack.push({ app, box: area, minimised: false, focus: app.focus, dialogFocus, dialogTitle });
  }

  /** Cascades new windows inside the screen. */
  #placeFor({ size }: App): Box {
    const width = Math.min(size.width, this.screen.width);
    const height = Math.min(size.height, this.height);
    const step = (this.#opened++ % 5) * 14;
    const x = Math.min(8 + step, this.screen.width - width);
    const y = Math.min(6 + Math.floor(step * 0.8), this.height - height);
    return box(Math.max(0, x), Math.max(0, y), width, height);
  }

  raise(window: MutableWindow): void {
    this.#arrangement += 1;
    window.minimised = false;
    this.#stack = [...this.#stack.filter(each => each !== window), window];
  }

  minimise(window: MutableWindow): void {
    this.#arrangement += 1;
    window.minimised = true;
  }

  /** Closes a window unless its application asks the user first. */
  close(window: AppWindow): void {
    if (window.app.mayClose?.() === false) return;
    this.drop(window.app.id);
  }

  /** Closes a window without a question. */
  drop(id: string): void {
    this.#arrangement += 1;
    this.#stack = this.#stack.filter(({ app }) => app.id !== id);
  }

  move(window: MutableWindow, by: Point): void {
    this.#arrangement += 1;
    window.box = this.clamp({ ...window.box, x: window.box.x + by.x, y: window.box.y + by.y });
  }

  /** Moves a box so that its title bar stays on the screen. */
  clamp(area: Box): Box {
    const x = Math.max(MIN_ON_SCREEN.x - area.width, Math.min(this.screen.width - MIN_ON_SCREEN.x, area.x));
    const y = Math.max(0, Math.min(this.height - MIN_ON_SCREEN.y, area.y));
    return { ...area, x, y };
  }
}
