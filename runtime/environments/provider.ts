// A kind of desktops, opened for a run: what tasks there are, who makes desktops for its clusters and, where somebody knows it, how an
// instance is solved by one who looks at the screen.

import type { Action } from '../core/action.ts';
import type { Desktop } from '../core/desktop.ts';
import type { DesktopId } from '../core/ids.ts';
import type { Screen } from '../core/screen.ts';
import type { Instance } from '../core/task.ts';
import type { Suite } from './suite.ts';

/** The next action by what is to be seen now; the last one is `finished` or `fail`. Throws a BoundaryError where it does not find its way. */
export type Solver = (screen: Screen) => Action;

export interface DesktopProvider {
  readonly suite: Suite;
  /** A new one under this name. It may take long, and may reject: then it is tried again. */
  make(id: DesktopId): Promise<Desktop>;
  /** A new one for each time that it is played. */
  solver(instance: Instance): Solver;
  /** Gives back what they stand on. Those that were made are closed before. */
  close(): Promise<void>;
}
