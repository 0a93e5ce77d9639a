// The calls of the frame renderer's thread.

import type { Action } from '../../core/action.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import type { JudgedEpisode } from './verdict-reasons.ts';

/** An episode to draw again. */
export interface Drawing {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly actions: readonly Action[];
  /** The folder of tasks besides the built-in ones. */
  readonly folder: string | undefined;
  /** The verdict, when its reasons are wanted in words. */
  readonly judged: JudgedEpisode | undefined;
}

export type FrameCalls = {
  /** Reports each `RedrawnPicture` as progress, from the start on. Returns the reasons of the verdict. */
  readonly draw: { readonly takes: Drawing; readonly gives: string | undefined };
};
