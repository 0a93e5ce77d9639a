// What a host needs of a kind of desktops: tasks, desktops for its clusters, and whoever teaches. A host knows nothing else of them.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Desktop, Lender } from '../core/desktop.ts';
import type { DesktopId, TaskId } from '../core/ids.ts';
import type { ProcessorTime } from '../core/processor-time.ts';
import type { Random } from '../core/rng.ts';
import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Suite } from '../environments/suite.ts';
import type { Fabric } from '../fabric/fabric.ts';

export interface HostKind {
  readonly suite: Suite;
  /** A new desktop under this name. What its work takes of the processor counts in `time`, as far as this process does it. */
  make(id: DesktopId, time: ProcessorTime): Promise<Desktop>;
  /** Beside those of the clusters: to see once more what was drawn and not kept. Absent where desktops cannot be drawn again. */
  replayDesktop?(): Desktop;
  teacher(around: TeacherContext): Teacher;
  /** After all desktops were closed. */
  close(): Promise<void>;
}

/** What a teacher works with. */
export interface TeacherContext {
  readonly config: Config;
  readonly tasks: readonly TaskId[];
  /** The desktops that train, and how many there are. */
  readonly lender: Lender;
  readonly size: number;
  readonly fabric: Pick<Fabric, 'lessons' | 'events'>;
  /** How a task fares, from 0 to 1, where somebody knows. */
  readonly rateOf: (task: TaskId) => number | undefined;
  readonly time: ProcessorTime;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Teacher {
  /** So many solutions can be shown at once. */
  readonly concurrency: number;
  /** The solution of an instance; undefined where it is nothing that a policy could do, and where it was stopped. */
  demonstrate(instance: Instance, stop: AbortSignal): Promise<Trajectory | undefined>;
  /** Only of desktops that start again at no cost. */
  readonly discovery?: HostDiscovery;
}

/** Who finds out beside the rollouts what is worth imitating, a moment at a time. */
export interface HostDiscovery {
  /** Whether there are tasks of which nobody found out how to do what they ask for. */
  readonly isSearching: boolean;
  /** That were taken by exploring. */
  readonly steps: number;
  exploreOnce(): Promise<void>;
  relabel(trajectory: Trajectory): Promise<void>;
}
