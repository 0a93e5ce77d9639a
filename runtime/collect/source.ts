// Who plays what is collected: a script that knows the solutions, or weights that were trained. Each gives what it tried, one after another.

import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Fabric } from '../fabric/fabric.ts';

export interface Tried {
  readonly instance: Instance;
  /** Absent where no script could do it as a policy would have to. */
  readonly trajectory?: Trajectory;
}

export interface CollectSource {
  /** How often it tries each instance. */
  readonly times: number;
  /** Ends after the last, or with the signal. What it gave is done with when the next is asked for; `trouble` is told what keeps it from coming. */
  play(
    instances: readonly Instance[],
    signal: AbortSignal,
    trouble: (message: string) => void,
  ): AsyncIterable<Tried>;
}

/** Until the fabric is closed. */
export async function hearTroubles(
  { events }: Pick<Fabric, 'events'>,
  trouble: (message: string) => void,
): Promise<void> {
  for await (const { event } of events.listen())
    if (event.kind === 'health' && !event.healthy) trouble(`${event.thing}: ${event.message}`);
}
