// What connects the modules, and nothing else does: none of them imports another, is called back by it or reads its memory.

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
  /** Episodes that somebody shall play. */
  readonly orders: WorkQueue<Order>;
  /** The same for episodes that measure: they have desktops of their own. */
  readonly evaluations: WorkQueue<Order>;
  /** Finished episodes; acknowledged only once they are durable on disk. */
  readonly trajectories: WorkQueue<Trajectory>;
  /** The steps chosen for one update each. */
  readonly batches: WorkQueue<Batch>;
  /** What is worth imitating, beside what is compared within groups. */
  readonly lessons: WorkQueue<Lesson>;
  readonly needs: Register<Needs>;
  /** Successes from before, as files have them, for who can look at them again; and how they then look to this run. */
  readonly recollections: WorkQueue<StoredSuccess>;
  readonly recalled: WorkQueue<StoredStep>;
  /** The success rate of each task over its last rollouts, from 0 to 1; absent before there are any. */
  readonly rates: Register<Readonly<Record<string, number>>>;
  /** The newest published version: what rollouts decide with. */
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
  /** What somebody looks at; and how that looks, told by who has the desktops. */
  readonly watched: Register<Watch>;
  readonly views: Topic<View>;
  /** Who waits on a channel is told; what was not acknowledged is gone with the process, unless files have it. */
  close(): Promise<void>;
}
