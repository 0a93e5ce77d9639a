// What can be done with a run. Pure.

import type { DaemonMethod } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';

export type Deed = Extract<DaemonMethod, 'run.pause' | 'run.continue' | 'run.resume' | 'run.stop'>;

/** What makes sense for a run; one that ended can be resumed where enough of it was kept, and where time is left of it. */
export function deedsFor(
  { status, seconds, of }: Pick<RunState, 'status' | 'seconds' | 'of'>,
  canResume: boolean,
): readonly Deed[] {
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
