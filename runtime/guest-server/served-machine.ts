// The interface of a desktop for the routes of the guest API. container-machine.ts implements it for containers; tests have their own.

import type { Clock } from '../core/clock.ts';
import type { Pixels, Point, Size } from '../core/screen.ts';
import type { ElementTree } from '../environments/docker/element-tree.ts';
import type { CommandResult, RunOptions } from '../environments/docker/shell.ts';
import type { InputProgram } from './program/input-program.ts';

/**
 * Failures of a task (a command that hangs, a file that cannot be written) are BoundaryErrors of `task`. All other BoundaryErrors mean
 * that the desktop is lost.
 */
export interface ServedMachine {
  /** In pixels of the desktop, as all points and boxes. */
  readonly size: Size;
  readonly pointer: Point;
  readonly clock: Clock;
  /** Everything drawn by now. */
  picture(): Promise<Pixels>;
  /** The windows and nodes once all applications are idle. */
  tree(): Promise<ElementTree>;
  /** Runs a line with `sh -c`. Several run side by side. */
  run(line: string, options?: RunOptions): Promise<CommandResult>;
  /** Undefined if there is no such file. One that is there and cannot be read is a failure of the task. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** Creates the folders of the file. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Resolves with what the program printed. Programs run one after another. */
  perform(program: InputProgram): Promise<string>;
}

export interface OpenMachine extends ServedMachine {
  close(): void;
}

/** One desktop that was taken from a source. */
export interface TakenDesktop {
  /** Resolves with the reason once the desktop is gone. Never rejects. */
  readonly died: Promise<string>;
  /** Connects to it. Resolves once it has drawn its first screen. */
  open(): Promise<OpenMachine>;
  /** Restores the clean state. Rejects if that is not certain. Ends all connections. */
  reset(): Promise<void>;
  remove(): Promise<void>;
}

/** A fresh desktop. */
export type TakeDesktop = (signal: AbortSignal) => Promise<TakenDesktop>;
