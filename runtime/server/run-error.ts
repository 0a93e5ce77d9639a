import type { RunId } from '../core/ids.ts';

/** A request about a run that cannot be met. */
export class RunError extends Error {
  override readonly name = 'RunError';
}

export const noSuchRun = (run: RunId): RunError =>
  new RunError(`The run '${run}' does not exist. 'dartboard runs' lists all runs.`);
