// How long clients wait for replies. The extension and the command line share the deadlines of the requests that take minutes or hours.

import type { DaemonMethod } from './messages.ts';

/** These start or stop processes, write checkpoints, delete the files of a run, or read whole runs. */
const RUN_DEADLINE_MS = 10 * 60_000;
/** The start of a collection builds desktops, and its end waits for the attempts under way. */
const COLLECT_DEADLINE_MS = 15 * 60_000;
/** Data sets have thousands of trajectories with pictures. A stop waits for the update in work, which takes hours for a large model. */
const HOURS_DEADLINE_MS = 6 * 3_600_000;

const LONG_DEADLINES_MS: Readonly<Partial<Record<DaemonMethod, number>>> = {
  'run.start': RUN_DEADLINE_MS,
  'run.resume': RUN_DEADLINE_MS,
  'run.pause': RUN_DEADLINE_MS,
  'run.continue': RUN_DEADLINE_MS,
  'run.delete': RUN_DEADLINE_MS,
  'run.compare': RUN_DEADLINE_MS,
  'collect.start': COLLECT_DEADLINE_MS,
  'collect.cancel': COLLECT_DEADLINE_MS,
  'trajectories.import': HOURS_DEADLINE_MS,
  'trajectories.export': HOURS_DEADLINE_MS,
  'run.stop': HOURS_DEADLINE_MS,
};

/** `shortMs` is the client's deadline for all other requests. */
export const deadlineOf = (method: DaemonMethod, shortMs: number): number =>
  LONG_DEADLINES_MS[method] ?? shortMs;
