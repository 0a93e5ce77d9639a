// The channels of a run. They are the only connection between modules: no module imports another, calls it or reads its memory.

import type { Batch } from '../core/batch.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { Lesson, Needs } from '../core/lesson.ts';
import type { Order } from '../core/order.ts';
import type { Weights } from '../core/policy.ts';
import type { StoredStep, StoredSuccess } from '../core/stored-success.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { View, Watch } from '../core/view.ts';
import type { Log, Register, Topic, WorkQueue } from './channels.ts';

export interface Fabric {
  /** Episodes to play for training. */
  readonly orders: WorkQueue<Order>;
  /** Episodes to play for evaluation, on desktops of their own. */
  readonly evaluations: WorkQueue<Order>;
  /** Finished episodes. Acknowledged once they are durable on disk. */
  readonly trajectories: WorkQueue<Trajectory>;
  /** The steps of one update each. */
  readonly batches: WorkQueue<Batch>;
  /** Demonstrations to imitate, beside the groups of RL. */
  readonly lessons: WorkQueue<Lesson>;
  readonly needs: Register<Needs>;
  /** Stored successes of earlier runs, and the same successes replayed as steps of this run. */
  readonly recollections: WorkQueue<StoredSuccess>;
  readonly recalled: WorkQueue<StoredStep>;
  /** The success rate of each task over its last rollouts, in [0, 1]. Absent before its first rollout. */
  readonly rates: Register<Readonly<Record<string, number>>>;
  /** The newest published version. Rollouts decide with it. */
  readonly weights: Register<Weights>;
  /**
   * The mean of the last versions, under the number of the newest, and here before it: single updates make single weights jump, so this
   * is what is measured and kept.
   */
  readonly averaged: Register<Weights>;
  /** The version that is measured; set before anything is ordered that insists on it. */
  readonly evaluated: Register<Weights>;
  readonly commands: Log<Command>;
  readonly events: Topic<Event>;
  /** Which desktops are watched, and their pictures. */
  readonly watched: Register<Watch>;
  readonly views: Topic<View>;
  /** Rejects pending calls. Unacknowledged items are lost with the process, unless files contain them. */
  close(): Promise<void>;
}
