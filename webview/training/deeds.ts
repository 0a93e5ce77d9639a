// What can be done with a run. Pure.

import type { Method } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';

export type Deed = Extract<Method, 'run.pause' | 'run.continue' | 'run.resume' | 'run.stop'>;

/** What makes sense in a state; a run that ended can be resumed where enough of it was kept. */
export function deedsFor(state: RunState['status'], canResume: boolean): readonly Deed[] {
  switch (state) {
    case 'running':
      return ['run.pause', 'run.stop'];
    case 'paused':
      return ['run.continue', 'run.stop'];
    case 'ended':
    case 'failed':
      return canResume ? ['run.resume'] : [];
    default:
      return [];
  }
}
