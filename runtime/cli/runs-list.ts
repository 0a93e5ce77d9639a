// What `dartboard runs` does: lists the runs of the workspace, or deletes one. It looks at their folders, so that it works while another
// program trains there; what it deletes, a daemon hears of.

import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { runId } from '../core/ids.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import type { RunFolders } from '../run/run-folders.ts';
import { DialledDaemon } from '../server/daemon-client.ts';
import { findDaemon } from '../server/daemon-file.ts';
import { runNamed } from './find-run.ts';
import { indented, painted } from './terminal/line.ts';
import { hasColour, type Output } from './terminal/output.ts';
import { runsTable } from './terminal/runs-table.ts';

export interface ListRuns {
  /** The workspace. */
  readonly folder: string;
  readonly folders: RunFolders;
  /** Undefined to list them. */
  readonly deleted: string | undefined;
  /** Also where some of its trajectories are in the success pool. */
  readonly withPool: boolean;
  readonly json: boolean;
  readonly clock: Clock;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For what is no part of what is printed. */
  readonly remark: (text: string) => void;
}

const MARGIN = 2;

export async function listRuns({
  folder,
  folders,
  deleted,
  withPool,
  json,
  clock,
  ...around
}: ListRuns): Promise<void> {
  const { output, environment, remark } = around;
  const { runs, damaged } = await folders.list();
  if (deleted !== undefined) {
    // One that cannot be read can be deleted too.
    const { run } = runNamed([...runs, ...damaged], deleted);
    const isDone = await deletedByDaemon(folder, run, withPool);
    if (!isDone) await folders.delete(runId(run), clock.now(), { withPool });
    output.write(`The run '${run}' is deleted.\n`);
    return;
  }
  for (const { why } of damaged) remark(why);
  if (json) {
    output.write(`${JSON.stringify(runs)}\n`);
    return;
  }
  const colour = hasColour(output, environment);
  const lines = indented([[], ...runsTable(runs, (output.columns ?? PAGE) - 1 - MARGIN), []], MARGIN);
  output.write(lines.map(line => `${painted(line, colour)}\n`).join(''));
}

/** Where one runs that knows of it, it shows the run's trajectories and counts them: it has to hear of that. */
async function deletedByDaemon(folder: string, run: string, withPool: boolean): Promise<boolean> {
  const found = await findDaemon(join(folder, DAEMON_FILE));
  if (found.kind !== 'running') return false;
  const daemon = await DialledDaemon.dial(found.daemon, 'dartboard runs');
  try {
    const known = await daemon.ask('runs.list', {});
    if (!known.some(each => each.run === run)) return false;
    await daemon.ask('run.delete', { run, ...(withPool && { withPool }) });
    return true;
  } finally {
    daemon.close();
  }
}

/** The width of what is written where there is no terminal. */
const PAGE = 100;
