// Prints why the curator ordered the groups of a run, and what became of them. It only reads the folder of the run, so it works while
// another program trains there.

import { join } from 'node:path';
import type { RunId } from '../core/ids.ts';
import { runId } from '../core/ids.ts';
import { readDecisions } from '../data/files/decision-lines.ts';
import { DECISIONS_FILE, MASKS_FILE, type RunFolders } from '../run/folders/run-folders.ts';
import type { CliContext } from './context.ts';
import { findRun } from './find-run.ts';
import { decisionRows } from './terminal/decision-rows.ts';
import { renderLine } from './terminal/line.ts';
import { hasColour } from './terminal/output.ts';

export interface PrintDecisionsOptions {
  /** The newest run where there is none. */
  readonly name: string | undefined;
  readonly task?: string;
  readonly last: number;
  readonly json?: boolean;
}

export async function printDecisions(
  { output, environment }: Pick<CliContext, 'output' | 'environment'>,
  folders: Pick<RunFolders, 'list' | 'path'>,
  { name, task, last, json }: PrintDecisionsOptions,
): Promise<void> {
  const run = await newestOrNamed(folders, name);
  const folder = folders.path(run);
  const decisions = await readDecisions({
    ...{ decisions: join(folder, DECISIONS_FILE), masks: join(folder, MASKS_FILE), last },
    ...(task !== undefined && { task }),
  });
  const colour = hasColour(output, environment);
  if (json) output.write(decisions.map(decision => `${JSON.stringify(decision)}\n`).join(''));
  else if (decisions.length === 0)
    output.write(`Run '${run}' has no decisions${task === undefined ? '' : ` about task '${task}'`}.\n`);
  else
    output.write(
      decisionRows(decisions)
        .map(line => `${renderLine(line, colour)}\n`)
        .join(''),
    );
}

async function newestOrNamed(folders: Pick<RunFolders, 'list'>, name: string | undefined): Promise<RunId> {
  const { runs, damaged } = await folders.list();
  const found = name === undefined ? runs[0] : findRun([...runs, ...damaged], name);
  if (found === undefined) throw new RangeError("This folder has no runs. Start one with 'dartboard train'.");
  return runId(found.run);
}
