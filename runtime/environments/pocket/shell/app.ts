// The interface between the shell and its applications. An application holds its state and describes its window; the shell
// positions the window, draws it and dispatches input.

import type { Size } from '../../../core/screen.ts';
import type { Icon } from '../toolkit/icons.ts';
import type { KeyStroke, UiServices, Widget } from '../toolkit/widget.ts';

/** A modal dialog in front of an application's window. */
export interface Dialog {
  readonly title: string;
  readonly content: Widget;
  readonly width: number;
  /** The key of the widget that has the focus first. */
  readonly focus?: string;
  /** Enter, unless the focused widget handles it. */
  readonly accept: () => void;
  /** Escape and the close button. */
  readonly dismiss: () => void;
}

export interface App {
  readonly id: string;
  readonly name: string;
  readonly icon: Icon;
  readonly size: Size;
  /** The key of the widget that has the focus first. */
  readonly focus?: string;
  /** The text of the title bar. */
  title(): string;
  view(): Widget;
  dialog?(): Dialog | undefined;
  /** Shows something for another application or a task's set-up: a file's path, a mail address. */
  show?(what: string): void;
  /** Called before its window closes. Returns false to ask the user first; it then closes the window itself. */
  mayClose?(): boolean;
  /** Text that no focused widget takes. */
  type?(text: string): void;
  /** A key that neither the shell nor the focused widget handles. */
  stroke?(stroke: KeyStroke, ui: UiServices): void;
}

/** Services of the shell for applications. */
export interface ShellServices {
  /** Shows a message in a corner until the next action. */
  toast(text: string): void;
  /** Opens an application or brings it to the front; `what` goes to its `show`. */
  open(app: string, what?: string): void;
  /** Closes an application's window without asking. */
  close(app: string): void;
  /** Gives the focus to the widget with a key in the front window. */
  focus(key: string): void;
}
