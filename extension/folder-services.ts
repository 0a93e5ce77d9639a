// The services that most features of a trusted folder need.

import type { CommandTable } from './command-table.ts';
import type { DaemonClient } from './daemon/client.ts';
import type { RunStore } from './runs/run-store.ts';

export interface FolderServices {
  readonly client: DaemonClient;
  readonly runs: RunStore;
  readonly commands: CommandTable;
}
