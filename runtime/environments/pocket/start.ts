// Starts an instance: builds the machine that its task describes. Desktops, solvers and replays all start here, so that one
// instance has one start.

import { messageOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { Size } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { type AppOpening, worldFromSetup } from './getters.ts';
import { PocketMachine } from './machine.ts';
import type { Surface } from './surface.ts';
import type { PocketWorld } from './world.ts';

/** The default screen size. */
export const SCREEN: Size = { width: 320, height: 240 };

export interface StartedInstance {
  readonly machine: PocketMachine;
  /** A copy of the initial world. */
  readonly start: PocketWorld;
  readonly openings: readonly AppOpening[];
}

/** `surface`: one of this size that is no longer in use. */
export function startOf(
  { id, config = [] }: Pick<Task, 'id' | 'config'>,
  size: Size = SCREEN,
  surface?: Surface,
): StartedInstance {
  const { world, openings } = worldFromSetup(config);
  const start = structuredClone(world);
  const machine = new PocketMachine(world, size, surface);
  try {
    for (const { app, what } of openings) machine.open(app, what);
  } catch (error) {
    throw new BoundaryError({ boundary: 'task', thing: id, message: messageOf(error) }, { cause: error });
  }
  return { machine, start, openings };
}
