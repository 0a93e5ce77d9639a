// The runs of other workspaces whose trajectories are indexed in the same database.
//
//   fleet.runs   one entry for each run, the latest first

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { count, empty, requestSchema, timestamp } from './schemas.ts';

export const FLEET_REQUESTS = [requestSchema('fleet.runs', empty)] as const;

/** The newest ones. */
export const MAX_FLEET_RUNS = 100;

const fleetRun = z.strictObject({
  /** The name of the machine, and the folder of the runs there. */
  machine: z.string(),
  folder: z.string(),
  run: z.string(),
  trajectories: count,
  /** Judged evaluations on all worlds, and those that succeeded. */
  evaluations: count,
  successes: count,
  /** Of its first and its last trajectory. */
  startedAt: timestamp,
  endedAt: timestamp,
});

export const FLEET_RESULTS = {
  /** Absent if the index is a file of this workspace. */
  'fleet.runs': z.strictObject({ runs: z.array(fleetRun).max(MAX_FLEET_RUNS).exactOptional() }),
} as const;

export type FleetRun = z.infer<typeof fleetRun>;
export type FleetResult = z.infer<(typeof FLEET_RESULTS)['fleet.runs']>;
