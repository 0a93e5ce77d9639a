// The interface of a desktop that an episode runs on, and of its lease.

import type { Action } from './action.ts';
import type { MatchedAction } from './expert-match.ts';
import type { DesktopId, Seed } from './ids.ts';
import type { Point, Screen } from './screen.ts';
import type { Getter, SetupStep, Task } from './task.ts';
import type { Ending, Verdict } from './verdict.ts';

/** The screen of an initial state. */
export interface FirstScreen extends Screen {
  /** The instruction of the instance, from a task that generates it at its start. It replaces the instruction of the task. */
  readonly instruction?: string;
}

/**
 * Requirements for every kind of desktop:
 * - Calls do not overlap, except `close`, which rejects a running call.
 * - A failed call rejects with a BoundaryError: boundary `task` if the task is at fault, else `environment` or `provider`. It never returns
 *   a wrong screen or verdict.
 * - The pixels of a screen are valid until the next call, which may overwrite them. Callers that need them longer copy them.
 * - After a rejection the state of the desktop is unknown: only `reset` and `close` are valid calls.
 */
export interface Desktop {
  readonly id: DesktopId;

  /** The version of the renderer; present if the same instance and actions give the same frames, bit for bit. */
  readonly renderer?: string;

  /** Sets the initial state of the instance, from any state. Equal instances have equal initial states and equal instructions. */
  reset(task: Task, seed: Seed): Promise<FirstScreen>;

  /**
   * Performs the action at most once, even if it rejects. Resolves when the screen has settled, not after a fixed delay. `finished` and
   * `fail` change nothing. After a screen that `isOver`, no other action follows.
   */
  act(action: Action): Promise<Screen>;

  /**
   * Compares an action of an agent with the expert's. Called once before an agent's action is performed, also before `finished`, `fail` and
   * `none`. Only in training it may name another action to perform. Present for desktops that play stored trajectories, whose `act` takes
   * `none` too.
   */
  match?(action: Action, isTraining: boolean): MatchedAction;

  /** The present screen, without input. Absent if the screen changes with actions only. */
  look?(): Promise<Screen>;

  /**
   * Presses the left button again at the point of the last click, as the second or third press of a double or triple click. Absent if the
   * desktop itself counts quick clicks.
   */
  clickAgain?(at: Point, press: 2 | 3): Promise<Screen>;

  /** Reads a value for an evaluator. Changes nothing. */
  query(getter: Getter): Promise<unknown>;

  /** Performs one step of the `config` or `postconfig` of a task. */
  setup(step: SetupStep): Promise<void>;

  /**
   * Evaluates the current state for the task of the last `reset`. The runner passes `ending`, because a desktop cannot distinguish an
   * agent that gave up from one that reached the step limit.
   */
  judge(ending: Ending): Promise<Verdict>;

  /** Releases all resources. Repeated calls have no effect. Never rejects. */
  close(): Promise<void>;
}

/** The lease of a desktop for one episode, or for a few in a row. */
export interface Lease {
  readonly desktop: Desktop;
  /** Returns the desktop, in any state. Repeated calls have no effect. */
  release(): void;
}

/** A pool of desktops. */
export interface Lender {
  /** Resolves when a desktop is free; rejects with the signal's reason if it is aborted first. */
  lease(signal?: AbortSignal): Promise<Lease>;
}
