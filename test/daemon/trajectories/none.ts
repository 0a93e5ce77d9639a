// Where there are no trajectories, and nobody collects any: whatever is asked of them is refused.

import type { Collections } from '../../../runtime/daemon/collect/collections.ts';
import type { Desktops } from '../../../runtime/daemon/desktops/desktops.ts';
import type { Trajectories } from '../../../runtime/daemon/trajectories/trajectories.ts';

const none = (): Promise<never> => Promise.reject(new Error('There are no trajectories in this test.'));

export const NO_TRAJECTORIES: Trajectories = {
  prepare: () => undefined,
  list: none,
  whole: none,
  frame: none,
  elements: none,
  uncertain: none,
  queue: none,
  annotate: none,
  pool: none,
  tasks: none,
};

export const NO_DESKTOPS: Desktops = { look: none, kinds: none };

export const NO_COLLECTIONS: Collections = { now: undefined, start: none, follow: none, cancel: none };
