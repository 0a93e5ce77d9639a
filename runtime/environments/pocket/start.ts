// How an instance starts: the machine that its task describes. All who play an instance begin here, on the desktop and off it, so
// that the same instance starts the same for all of them.

import { BoundaryError } from '../../core/failure.ts';
import type { Size } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { type AppOpening, worldFromSetup } from './getters.ts';
import { PocketMachine } from './machine.ts';
import type { Surface } from './surface.ts';
import type { PocketWorld } from './world.ts';

/** The size of the pocket desktop where nobody asks for another. */
export const SCREEN: Size = { width: 320, height: 240 };

export interface Started {
  readonly machine: PocketMachine;
  /** The world before anybody acted, apart from the machine's own. */
  readonly start: PocketWorld;
  readonly openings: readonly AppOpening[];
}

/** `paper` is what an earlier machine of this size leaves to be drawn over. */
export function startOf(
  { id, config = [] }: Pick<Task, 'id' | 'config'>,
  size: Size = SCREEN,
  paper?: Surface,
): Started {
  const { world, openings } = worldFromSetup(config);
  const start = structuredClone(world);
  const machine = new PocketMachine(world, size, paper);
  try {
    for (const { app, what } of openings) machine.open(app, what);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BoundaryError({ boundary: 'task', thing: id, message }, { cause: error });
  }
  return { machine, start, openings };
}
