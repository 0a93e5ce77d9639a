// What the shell needs to know of an application. An application holds its state and describes its window; the shell
// places, draws and operates it.

import type { Size } from '../../../core/screen.ts';
import type { Icon } from '../toolkit/icons.ts';
import type { KeyStroke, UiServices, Widget } from '../toolkit/widget.ts';

/** A question in front of an application's window, which must be answered first. */
export interface Dialog {
  readonly title: string;
  readonly content: Widget;
  readonly width: number;
  /** The key of the widget that has the focus when it opens. */
  readonly focus?: string;
  /** Enter, where the focused widget has no use for it. */
  readonly accept: () => void;
  /** Escape, and the cross. */
  readonly dismiss: () => void;
}

export interface App {
  readonly id: string;
  readonly name: string;
  readonly icon: Icon;
  readonly size: Size;
  /** The key of the widget that has the focus when its window opens. */
  readonly focus?: string;
  /** What stands in the title bar: the name, and often what is open. */
  title(): string;
  view(): Widget;
  dialog?(): Dialog | undefined;
  /** Another application, or a task's set-up, asks it to show something: a file's path, a mail address. */
  show?(what: string): void;
  /** Asked before its window closes; false where it must ask first, and closes the window itself later. */
  mayClose?(): boolean;
  /** What is typed where nothing that has the focus takes text. */
  type?(text: string): void;
  /** Shortcuts; whether the stroke meant something. */
  stroke?(stroke: KeyStroke, ui: UiServices): boolean;
}

/** What the shell does for applications. */
export interface ShellServices {
  /** Says something in a corner until the next action. */
  toast(text: string): void;
  /** Opens another application, or brings it to the front; `what` it should show is told in its own terms. */
  open(app: string, what?: string): void;
  /** Closes an application's window without asking. */
  close(app: string): void;
  /** The widget with this key, of the window in front, hears the keyboard from now on. */
  focus(key: string): void;
}
