// A whole machine with a desktop, as the tasks of OSWorld need it: what their set-up steps do to it and what their getters read from it.

import type { Size } from '../../core/screen.ts';
import type { TaskCommand } from '../command.ts';

export interface CommandOutput {
  readonly output: string;
  readonly errors: string;
  readonly code: number;
  /** The machine could not run the program to its end; `errors` says why. */
  readonly isRefused?: true;
}

export interface WindowName {
  /** A part of the title, ignoring case, unless `strict`. */
  readonly name: string;
  readonly strict: boolean;
  /** The name is that of the window's class. */
  readonly byClass: boolean;
}

/** Paths may begin with `~/`, the home of the machine's user. */
export interface Machine {
  /** Runs a program to its end. */
  run(command: TaskCommand): Promise<CommandOutput>;
  /** Starts a program that stays open. */
  launch(command: TaskCommand): Promise<void>;
  /** Opens a file or a folder with its program. */
  open(path: string): Promise<void>;
  /** Undefined if there is no such file, or none that can be read. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** A tree of names, as OSWorld lists a folder. */
  directory(path: string): Promise<unknown>;
  activateWindow(window: WindowName): Promise<void>;
  closeWindow(window: WindowName): Promise<void>;
  changeWallpaper(path: string): Promise<void>;
  wallpaper(): Promise<Uint8Array | undefined>;
  screenSize(): Promise<Size>;
  /** Undefined if no window has that class. */
  windowSize(className: string): Promise<Size | undefined>;
  /** The accessibility tree of the desktop as XML. */
  accessibilityTree(): Promise<string>;
  /** The text in the terminal in front; null without one. */
  terminalText(): Promise<string | null>;
  /** Presses keys together, then types a text and presses Enter: a command in a command palette. */
  typeCommand(keys: readonly string[], text: string): Promise<void>;
  /** The status of VLC as XML; undefined if it does not run. */
  vlcStatus(): Promise<Uint8Array | undefined>;
  readonly browser: MachineBrowser;
}

export interface MachineTab {
  readonly title: string;
  readonly url: string;
}

/** The browser of the machine, through its debugging port. */
export interface MachineBrowser {
  /** Waits until the browser answers: a program that was just launched takes seconds. */
  started(): Promise<void>;
  /** Empty if the browser does not run. */
  tabs(): Promise<readonly MachineTab[]>;
  openTab(url: string): Promise<void>;
  /** Closes the tabs at an address, and says whether there was one. */
  closeTab(isMatch: (url: string) => boolean): Promise<boolean>;
  /** The value of an expression in the first open tab that matches; undefined without one. */
  evaluate(isMatch: (url: string) => boolean, expression: string): Promise<unknown>;
  /** Loads an address in a new tab, evaluates expressions there, each when the page has loaded, and returns the last value. */
  visit(url: string, expressions: readonly string[]): Promise<unknown>;
  /** Loads an address in a new tab and prints it. */
  printPdf(url: string): Promise<Uint8Array>;
}
