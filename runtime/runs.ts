// What `dartboard runs` does: lists the runs of the workspace, or deletes one. It looks at their folders only, so that it works while
// another program trains there.

import { runId } from './contracts/ids.ts';
import type { Clock } from './contracts/world.ts';
import type { RunFolders } from './daemon/run-folders.ts';
import { indented, painted } from './daemon/terminal/line.ts';
import { hasColour, type Output } from './daemon/terminal/output.ts';
import { runsTable } from './daemon/terminal/runs-table.ts';
import { runNamed } from './run-named.ts';

export interface ListRuns {
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
    await folders.delete(runId(run), clock.now(), { withPool });
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

/** The width of what is written where there is no terminal. */
const PAGE = 100;
