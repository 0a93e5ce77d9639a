// The actions that a run allows. Pure.

import type { DaemonMethod } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';

export type RunAction = Extract<DaemonMethod, 'run.pause' | 'run.continue' | 'run.resume' | 'run.stop'>;

/** An ended run can be resumed if its checkpoint exists and training time is left. */
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
    case 'failed':
      return canResume && of - seconds >= 1 ? ['run.resume'] : [];
    default:
      return [];
  }
}
