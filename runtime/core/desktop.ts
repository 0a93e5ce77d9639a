// The contract of a desktop that an episode runs on. How it is made, leased or shown is not told here.

import type { Action } from './action.ts';
import type { DesktopId, Seed } from './ids.ts';
import type { Screen } from './screen.ts';
import type { Getter, SetupStep, Task } from './task.ts';
import type { Ending, Verdict } from './verdict.ts';

/**
 * Laws, for every kind of desktop:
 * - One call at a time; `close` alone may come at any moment, and then what is under way rejects.
 * - A call that cannot be carried out rejects with a BoundaryError: of the boundary `task` where the task is at fault,
 *   else `environment` or `provider`. It never answers with a screen or a verdict that is not so.
 * - The pixels of a screen hold until the next call, which may draw over them: whoever needs them longer copies them.
 * - After a rejection the desktop is in an unknown state: only `reset` and `close` make sense.
 */
export interface Desktop {
  readonly id: DesktopId;

  /** Names the version of the drawing where the same instance and actions give the same frames, bit for bit. */
  readonly renderer?: string;

  /** Brings the instance's start about, whatever was there before. The same instance starts the same. */
  reset(task: Task, seed: Seed): Promise<Screen>;

  /**
   * Performs the action at most once, even when it rejects: it is never sent again. Resolves when the screen has settled
   * and not after a fixed sleep. `finished` and `fail` change nothing.
   */
  act(action: Action): Promise<Screen>;

  /** What an evaluator asks to see. Reads only. */
  query(getter: Getter): Promise<unknown>;

  /** Prepares: what a task's `config` and `postconfig` ask for. */
  setup(step: SetupStep): Promise<void>;

  /**
   * Judges the task of the last `reset` where it stands now. `ending` is told by the runner, for a desktop cannot tell an
   * agent that gave up from one that ran out of steps, and must not guess.
   */
  judge(ending: Ending): Promise<Verdict>;

  /** Gives everything back. May be called more than once, and does not reject. */
  close(): Promise<void>;
}

/** A desktop on loan, to whoever runs an episode. */
export interface Lease {
  readonly desktop: Desktop;
  /** Gives it back, in whatever state. Only the first time counts. */
  release(): void;
}

/** Who has desktops to lend. */
export interface Lender {
  /** One, as soon as one is free; rejects with the signal's reason when it is aborted first. */
  lease(signal?: AbortSignal): Promise<Lease>;
}
