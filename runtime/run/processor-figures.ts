// What a process says of its processor time now and then: seconds since it started, so a process that was started again begins anew.
//
//   processor/desktops   desktops that act, draw and are judged, screens that become observations, exploring, looking back
//   processor/deciding   ONNX Runtime in policy workers    processor/training   ONNX Runtime in the trainer
//   processor/host, processor/workers, processor/trainer   all that these processes take

import type { Event, Module } from '../core/event.ts';
import type { Topic } from '../fabric/channels.ts';

export type ProcessorFigure = 'desktops' | 'deciding' | 'training' | 'host' | 'workers' | 'trainer';

/** Milliseconds. */
export const TELL_EVERY = 1000;

export function tellProcessorTime(
  events: Pick<Topic<Event>, 'publish'>,
  module: Module,
  at: number,
  seconds: Readonly<Partial<Record<ProcessorFigure, number>>>,
): void {
  for (const [name, value] of Object.entries(seconds))
    events.publish({ module, at, kind: 'metric', name: `processor/${name}`, value });
}
