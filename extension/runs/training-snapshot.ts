// What trained in this window, kept over a reload of the window. A reload on a busy machine may take longer
// than the daemon waits for its last client. The daemon then stops the run with a checkpoint, and the
// reloaded window resumes it. Pure.

export interface InterruptedTraining {
  /** Runs that trained. */
  readonly runs: readonly string[];
  /** Start time of the daemon, which identifies it. */
  readonly daemon: number;
}

export interface TrainingSnapshot extends InterruptedTraining {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A window that returns later was closed on purpose. */
const MAX_RELOAD_MS = 120_000;
const WRITE_INTERVAL_MS = 5000;

/** Runs to resume under a new daemon. While their own daemon lives, somebody stopped them on purpose. */
export const interruptedRuns = (
  training: InterruptedTraining | undefined,
  daemon: number,
): readonly string[] => (training !== undefined && training.daemon !== daemon ? training.runs : []);

/** Runs that their own daemon is stopping, because it began to exit before this window returned. */
export const runsBeingStopped = (
  training: InterruptedTraining | undefined,
  daemon: number,
  stopping: readonly string[],
): readonly string[] =>
  training?.daemon === daemon ? training.runs.filter(run => stopping.includes(run)) : [];

/** The training that the reload of a window interrupted. Undefined without a run, or if the window was closed on purpose. */
export const recentTraining = (
  snapshot: TrainingSnapshot | undefined,
  now: number,
): InterruptedTraining | undefined =>
  snapshot !== undefined && snapshot.runs.length > 0 && now - snapshot.at <= MAX_RELOAD_MS
    ? snapshot
    : undefined;

/** Whether to write a snapshot: when runs change, and every few seconds while one trains. */
export function mustWrite(snapshot: TrainingSnapshot, before: TrainingSnapshot | undefined): boolean {
  if (before === undefined || before.daemon !== snapshot.daemon) return true;
  if (before.runs.join() !== snapshot.runs.join()) return true;
  return snapshot.runs.length > 0 && snapshot.at - before.at >= WRITE_INTERVAL_MS;
}
