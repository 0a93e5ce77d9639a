// Publishes the processor time of a process once a second: seconds since the process started, so a restarted process begins at 0.
//
//   processor/desktops   desktops that act, draw and are judged, encoding of observations, exploration, hindsight
//   processor/deciding   ONNX Runtime in policy workers    processor/training   ONNX Runtime in the trainer
//   processor/host, processor/workers, processor/trainer   everything in these processes

import type { Event, Module } from '../core/event.ts';
import type { Topic } from '../fabric/channels.ts';

export type ProcessorFigure = 'desktops' | 'deciding' | 'training' | 'host' | 'workers' | 'trainer';

/** Milliseconds. */
export const METRICS_INTERVAL_MS = 1000;

export function publishProcessorTime(
  events: Pick<Topic<Event>, 'publish'>,
  module: Module,
  at: number,
  seconds: Readonly<Partial<Record<ProcessorFigure, number>>>,
): void {
  for (const [name, value] of Object.entries(seconds))
    events.publish({ module, at, kind: 'metric', name: `processor/${name}`, value });
}
