// The interface of a kind of desktops for a host: its tasks, its desktops and its teacher. A host knows nothing else of a kind.

import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Desktop, Lender } from '../../core/desktop.ts';
import type { DesktopId, TaskId } from '../../core/ids.ts';
import type { ProcessorTime } from '../../core/processor-time.ts';
import type { Random } from '../../core/rng.ts';
import type { Instance } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Suite } from '../../environments/suite.ts';
import type { Fabric } from '../../fabric/fabric.ts';

export interface HostKind {
  readonly suite: Suite;
  /** Creates a desktop. `time` receives the processor time that its calls take in this process. */
  make(id: DesktopId, time: ProcessorTime): Promise<Desktop>;
  /** How many episodes of one task a desktop should play in a row. 1 by default. */
  readonly inARow?: number;
  /** True if a teacher can demonstrate the task. */
  isScripted(task: TaskId): boolean;
  /** Creates a desktop to replay stored episodes; absent for kinds whose frames cannot be redrawn. */
  replayDesktop?(): Desktop;
  teacher(context: TeacherContext): Teacher;
  /** Called after all desktops are closed. */
  close(): Promise<void>;
}

/** Reports that a demonstration failed, for the problems of the run. */
export const reportDemonstration = (
  context: Pick<TeacherContext, 'fabric' | 'clock'>,
  message: string,
): void => reportTeaching(context, 'demonstrations', message);

export const reportTeaching = (
  { fabric, clock }: Pick<TeacherContext, 'fabric' | 'clock'>,
  thing: string,
  message: string,
): void =>
  fabric.events.publish({
    ...{ module: 'rollout', at: clock.now(), kind: 'health' },
    ...{ thing, healthy: false, message },
  });

export interface TeacherContext {
  readonly config: Config;
  readonly tasks: readonly TaskId[];
  /** The training desktops, and their number. */
  readonly lender: Lender;
  readonly size: number;
  readonly fabric: Pick<Fabric, 'lessons' | 'events'>;
  /** The success rate of a task from 0 to 1, if known. */
  readonly rateOf: (task: TaskId) => number | undefined;
  readonly time: ProcessorTime;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Teacher {
  /** The number of demonstrations that can run at a time. */
  readonly concurrency: number;
  /** The scripted solution of an instance; undefined if a policy cannot express it, or after `stop`. */
  demonstrate(instance: Instance, stop: AbortSignal): Promise<Trajectory | undefined>;
  /** Learns from a finished training episode, and puts a lesson if its outcome fits another instruction. Absent if nothing is relabelled. */
  relabel?(trajectory: Trajectory): Promise<void>;
  /** Puts again the lessons that it puts only once, for a trainer that has none. Absent if there are none. */
  repeat?(): Promise<void>;
  /** Present for desktops that restart at no cost. */
  readonly discovery?: HostDiscovery;
}

/** Discovery beside the rollouts. Each call takes a short time. */
export interface HostDiscovery {
  /** Whether some task has neither successes nor findings. */
  readonly isSearching: boolean;
  /** The number of exploration steps. */
  readonly steps: number;
  exploreOnce(): Promise<void>;
  /** A demonstration by a person, to transfer to other instances. */
  observe(demonstration: Trajectory): void;
}
