// The actions that a run allows. Pure.

import type { DaemonMethod } from '../../runtime/protocol/daemon/messages.ts';
import { isRunComplete, type RunState } from '../../runtime/protocol/daemon/state.ts';

export type RunAction = Extract<DaemonMethod, 'run.pause' | 'run.continue' | 'run.resume' | 'run.stop'>;

/** A run that is over can be resumed if its checkpoint exists and it is not complete. */
export function actionsFor(
  run: Pick<RunState, 'status' | 'seconds' | 'of'>,
  canResume: boolean,
): readonly RunAction[] {
  switch (run.status) {
    case 'running':
      return ['run.pause', 'run.stop'];
    case 'paused':
      return ['run.continue', 'run.stop'];
    case 'ended':
    case 'failed':
      return canResume && !isRunComplete(run) ? ['run.resume'] : [];
    default:
      return [];
  }
}
