// A world small enough for tests: six desktops, groups of three.

import { PAPER, type SimulatedWorld } from '../../../runtime/bench/decoupling/worlds.ts';

export const SMALL: SimulatedWorld = {
  ...PAPER,
  name: 'small',
  desktops: 6,
  workers: 2,
  rollouts: 3,
  groups: 2,
};

export const SPAN = { warmUp: 1, measured: 4 };
