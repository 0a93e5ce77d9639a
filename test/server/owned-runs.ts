// Scripted runs that a program closes at its end.

import type { OpenRuns } from '../../runtime/server/daemon.ts';
import { ScriptedRuns } from './scripted-runs.ts';

export class OwnedRuns extends ScriptedRuns implements OpenRuns {
  async close(): Promise<void> {
    this.asked.push('close');
  }
}
