// The trajectories that a run has stored.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { decodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';

/** All trajectories below the folder of the runs. */
export const storedTrajectories = (root: string): Promise<readonly Trajectory[]> =>
  Promise.all(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.zip'))
      .map(name => decodeTrajectory(readFileSync(join(root, name)), name)),
  );
