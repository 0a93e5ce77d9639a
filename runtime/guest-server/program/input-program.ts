// The contract between the reader of pyautogui programs and their performer: what a program does to a desktop, in its pixels.

import type { Button } from '../../agents/codecs/gesture.ts';
import type { Direction } from '../../core/action.ts';

/** A key as a program names it. Its keysym depends on whether shift is pressed. */
export type ProgramKey =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'named'; readonly keysym: number; readonly isShift?: true };

export type InputStep =
  /** Missing coordinates stay as they are. `isRelative`: the coordinates are added to those of the pointer. */
  | { readonly kind: 'move'; readonly x?: number; readonly y?: number; readonly isRelative: boolean }
  | { readonly kind: 'button'; readonly button: Button; readonly down: boolean }
  | { readonly kind: 'wheel'; readonly direction: Direction; readonly notches: number }
  | { readonly kind: 'key'; readonly key: ProgramKey; readonly down: boolean }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'pause'; readonly seconds: number }
  | { readonly kind: 'print'; readonly what: PrintedValue };

export type PrintedValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'position' }
  | { readonly kind: 'size' };

/** Programs are read whole before their first step is performed. */
export interface InputProgram {
  readonly steps: readonly InputStep[];
  /** The sum of all pauses. */
  readonly seconds: number;
}

/** The program has a statement that cannot be performed. The message names it. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
}
