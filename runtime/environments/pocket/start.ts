// How an instance starts, as a machine: what the Desktop contract does in reset, for those who play on machines themselves.

import type { Size } from '../../contracts/screen.ts';
import type { Task } from '../../contracts/task.ts';
import { type Opening, prepared } from './getters.ts';
import { Machine } from './machine.ts';
import type { World } from './world.ts';

export interface Started {
  readonly machine: Machine;
  /** The world before anybody acted, apart from the machine's own. */
  readonly start: World;
  readonly openings: readonly Opening[];
}

export function startOf({ config = [] }: Pick<Task, 'config'>, size: Size): Started {
  const { world, openings } = prepared(config);
  const start = structuredClone(world);
  const machine = new Machine(world, size);
  for (const { app, what } of openings) machine.open(app, what);
  return { machine, start, openings };
}
