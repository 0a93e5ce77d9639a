// The interface of a kind of desktops (Docker, web) for one run: its tasks, a factory for its pools, and scripted solvers.

import type { Action } from '../core/action.ts';
import type { Desktop } from '../core/desktop.ts';
import type { DesktopId, TaskId } from '../core/ids.ts';
import type { Screen } from '../core/screen.ts';
import type { Instance } from '../core/task.ts';
import type { Suite } from './suite.ts';

/**
 * Returns the next action for a screen. The last one is `finished` or `fail`, unless the task ends the episode by itself. Throws a
 * BoundaryError if the script fails.
 */
export type Solver = (screen: Screen) => Action;

export interface DesktopProvider {
  readonly suite: Suite;
  /** Creates a desktop. It may be slow and may reject; the pool retries. */
  make(id: DesktopId): Promise<Desktop>;
  /** How many episodes of one task a desktop should play in a row, where another task takes long to open. 1 by default. */
  readonly inARow?: number;
  /** Whether the task has a scripted solution. */
  isScripted(task: TaskId): boolean;
  /** Creates the solver of one episode, which has begun with this instruction. */
  solver(instance: Instance, instruction: string): Solver;
  /** Releases shared resources, after all desktops are closed. */
  close(): Promise<void>;
}
