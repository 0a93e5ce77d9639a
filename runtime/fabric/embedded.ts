// The fabric within one process, which the daemon uses. A message broker for several machines can replace it.

import type { Batch } from '../core/batch.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { Lesson, Needs } from '../core/lesson.ts';
import type { Order } from '../core/order.ts';
import type { Weights } from '../core/policy.ts';
import type { StoredStep, StoredSuccess } from '../core/stored-success.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { View, Watch } from '../core/view.ts';
import { EmbeddedLog } from './embedded/log.ts';
import { EmbeddedQueue } from './embedded/queue.ts';
import { EmbeddedRegister } from './embedded/register.ts';
import { EmbeddedTopic } from './embedded/topic.ts';
import type { Fabric } from './fabric.ts';

export function embeddedFabric(): Fabric {
  const channels = {
    orders: new EmbeddedQueue<Order>('orders'),
    evaluations: new EmbeddedQueue<Order>('evaluations'),
    trajectories: new EmbeddedQueue<Trajectory>('trajectories'),
    batches: new EmbeddedQueue<Batch>('batches'),
    lessons: new EmbeddedQueue<Lesson>('lessons'),
    recollections: new EmbeddedQueue<StoredSuccess>('recollections'),
    recalled: new EmbeddedQueue<StoredStep>('recalled'),
    needs: new EmbeddedRegister<Needs>('needs'),
    rates: new EmbeddedRegister<Readonly<Record<string, number>>>('rates'),
    weights: new EmbeddedRegister<Weights>('weights'),
    averaged: new EmbeddedRegister<Weights>('averaged'),
    evaluated: new EmbeddedRegister<Weights>('evaluated'),
    commands: new EmbeddedLog<Command>('commands'),
    events: new EmbeddedTopic<Event>(),
    watched: new EmbeddedRegister<Watch>('watched'),
    views: new EmbeddedTopic<View>(),
  };
  return {
    ...channels,
    close: async () => {
      for (const channel of Object.values(channels)) channel.close();
    },
  };
}
