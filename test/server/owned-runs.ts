// Scripted runs as a program owns them: it closes them in the end.

import type { OpenRuns } from '../../runtime/server/daemon.ts';
import { ScriptedRuns } from './scripted-runs.ts';

export class OwnedRuns extends ScriptedRuns implements OpenRuns {
  async close(): Promise<void> {
    this.asked.push('close');
  }
}
