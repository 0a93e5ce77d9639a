// The channels of a run. They are the only connection between modules: no module imports another, calls it or reads its memory.

import type { Batch } from '../core/batch.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { Lesson, Needs } from '../core/lesson.ts';
import type { LoanReply, LoanRequest } from '../core/loan.ts';
import type { ModelAnswer, ModelQuestion } from '../core/model-question.ts';
import type { Order } from '../core/order.ts';
import type { Weights } from '../core/policy.ts';
import type { StoredStep, StoredSuccess } from '../core/stored-success.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { View, Watch } from '../core/view.ts';
import type { ChannelFactory } from './channels.ts';

/** Lists the channels of a run, for all implementations. */
export const createChannels = (create: ChannelFactory) => ({
  /** Episodes to play for training. */
  orders: create.queue<Order>('orders'),
  /** Episodes to play for evaluation, on desktops of their own. */
  evaluations: create.queue<Order>('evaluations'),
  /** Finished episodes. Acknowledged once they are durable on disk. */
  trajectories: create.queue<Trajectory>('trajectories'),
  /** The steps of one update each. */
  batches: create.queue<Batch>('batches'),
  /** Demonstrations to imitate, beside the groups of RL. */
  lessons: create.queue<Lesson>('lessons'),
  /** The sampling weight of each kind of lesson. */
  needs: create.register<Needs>('needs'),
  /** Stored successes of earlier runs, and the same successes replayed as steps of this run. */
  recollections: create.queue<StoredSuccess>('recollections'),
  recalled: create.queue<StoredStep>('recalled'),
  /** The success rate of each task over its last rollouts, in [0, 1]. Absent before its first rollout. */
  rates: create.register<Readonly<Record<string, number>>>('rates'),
  /** The newest published version. Rollouts decide with it. */
  weights: create.register<Weights>('weights'),
  /** The mean of the last versions, under the number of the newest. Evaluations and checkpoints use it, because single updates are noisy. */
  averaged: create.register<Weights>('averaged'),
  /** The version under evaluation. Set before the orders that require it. */
  evaluated: create.register<Weights>('evaluated'),
  commands: create.log<Command>('commands'),
  events: create.topic<Event>('events'),
  /** Which desktops a page shows, and their pictures. */
  watched: create.register<Watch>('watched'),
  views: create.topic<View>('views', ({ desktop, size }) => `${size} ${desktop}`),
  /** The use of training desktops by people, and the replies. */
  loans: create.queue<LoanRequest>('loans'),
  loaned: create.topic<LoanReply>('loaned'),
  /** Questions of joined hosts to the model of the run, and the answers. */
  questions: create.queue<ModelQuestion>('questions'),
  answers: create.queue<ModelAnswer>('answers'),
});

export interface Fabric extends Readonly<ReturnType<typeof createChannels>> {
  /** Rejects pending calls. Unacknowledged items are lost with the process, unless files contain them. */
  close(): Promise<void>;
}
