// What `dartboard runs decisions` does: shows why the groups of a run were played as they were, and what became of them. It only reads the
// folder of the run, so that it works while another program trains there.

import { join } from 'node:path';
import type { RunId } from '../core/ids.ts';
import { readDecisions } from '../data/files/decision-lines.ts';
import { DECISIONS_FILE, MASKS_FILE, type RunFolders } from '../run/run-folders.ts';
import { runNamed } from './find-run.ts';
import { decisionRows } from './terminal/decision-rows.ts';
import { painted } from './terminal/line.ts';
import { hasColour, type Output } from './terminal/output.ts';

export interface ShowDecisions {
  readonly folders: RunFolders;
  /** Undefined for the newest run. */
  readonly name: string | undefined;
  /** Undefined for all of them. */
  readonly task: string | undefined;
  readonly last: number;
  /** One line of JSON each, for other programs. */
  readonly json: boolean;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function showDecisions({
  folders,
  output,
  environment,
  json,
  ...asked
}: ShowDecisions): Promise<void> {
  const run = await runOf(folders, asked.name);
  const folder = folders.path(run);
  const decisions = await readDecisions({
    ...{ decisions: join(folder, DECISIONS_FILE), masks: join(folder, MASKS_FILE), last: asked.last },
    ...(asked.task !== undefined && { task: asked.task }),
  });
  if (json) {
    output.write(decisions.map(decision => `${JSON.stringify(decision)}\n`).join(''));
    return;
  }
  if (decisions.length === 0) {
    const what = asked.task === undefined ? '' : ` about the task '${asked.task}'`;
    output.write(`Nothing was decided${what} in the run '${run}'.\n`);
    return;
  }
  const colour = hasColour(output, environment);
  output.write(
    decisionRows(decisions)
      .map(line => `${painted(line, colour)}\n`)
      .join(''),
  );
}

async function runOf(folders: RunFolders, name: string | undefined): Promise<RunId> {
  const { runs } = await folders.list();
  const run = name === undefined ? runs[0] : runNamed(runs, name);
  if (run === undefined) throw new RangeError("There are no runs here yet: 'dartboard train' begins one.");
  return run.run as RunId;
}
