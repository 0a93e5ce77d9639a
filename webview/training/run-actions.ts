// The actions that a run allows. Pure.

import type { DaemonMethod } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';

export type RunAction = Extract<DaemonMethod, 'run.pause' | 'run.continue' | 'run.resume' | 'run.stop'>;

/**
 * A run that is over can be resumed if its checkpoint exists, and training time is left or it failed: then its last save or evaluation may be
 * missing.
 */
export function actionsFor(
  { status, seconds, of }: Pick<RunState, 'status' | 'seconds' | 'of'>,
  canResume: boolean,
): readonly RunAction[] {
  switch (status) {
    case 'running':
      return ['run.pause', 'run.stop'];
    case 'paused':
      return ['run.continue', 'run.stop'];
    case 'ended':
      return canResume && of - seconds >= 1 ? ['run.resume'] : [];
    case 'failed':
      return canResume ? ['run.resume'] : [];
    default:
      return [];
  }
}
