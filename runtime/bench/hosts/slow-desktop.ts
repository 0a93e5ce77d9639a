// A desktop whose calls take as long as those of a real application, and no processor time: many hosts fit on one machine.

import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { Random } from '../../core/rng.ts';

/** The time of a reset or an action is uniform between these. */
export interface ServiceTime {
  readonly min: number;
  readonly max: number;
}

export const SERVICE_MS: ServiceTime = { min: 300, max: 700 };

/** OSWorld waits two seconds after an action. Four hosts need half of two cores then, so that the cores do not limit them. */
export const OSWORLD_SERVICE_MS: ServiceTime = { min: 1500, max: 2500 };

export function slowDesktop(
  desktop: Desktop,
  random: Random,
  clock: Clock,
  { min, max } = SERVICE_MS,
): Desktop {
  const closed = new AbortController();
  const wait = () => sleepUnlessAborted(clock, min + (max - min) * random.next(), closed.signal);
  return {
    id: desktop.id,
    ...(desktop.renderer !== undefined && { renderer: desktop.renderer }),
    reset: async (task, seed) => {
      await wait();
      return desktop.reset(task, seed);
    },
    act: async action => {
      await wait();
      return desktop.act(action);
    },
    query: getter => desktop.query(getter),
    setup: step => desktop.setup(step),
    judge: ending => desktop.judge(ending),
    close: () => {
      closed.abort();
      return desktop.close();
    },
  };
}
