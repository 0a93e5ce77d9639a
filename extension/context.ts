// What `when` clauses of the manifest ask for, as it follows from what is known. Pure.

import { CONTEXT } from './commands.ts';
import { type Known, liveRun } from './runs/known.ts';

/** `isSure` where what is known is all that there is. */
export function contextOf(known: Known, isSure: boolean): Readonly<Record<string, boolean>> {
  const live = liveRun(known);
  return {
    [CONTEXT.isLive]: live !== undefined,
    [CONTEXT.isRunning]: live?.status === 'running',
    [CONTEXT.isPaused]: live?.status === 'paused',
    [CONTEXT.hasRuns]: known.runs.length > 0,
    [CONTEXT.isEmpty]: isSure && known.runs.length === 0,
  };
}
