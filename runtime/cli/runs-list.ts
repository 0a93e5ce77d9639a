// Prints the runs of the workspace. It reads their folders, so it works while another program trains there.

import type { RunFolders } from '../run/run-folders.ts';
import type { CliContext } from './context.ts';
import { printLines, widthOfOutput } from './terminal/output.ts';
import { runsTable } from './terminal/runs-table.ts';

export async function listRuns(
  context: Pick<CliContext, 'output' | 'environment' | 'printError'>,
  folders: Pick<RunFolders, 'list'>,
  json: boolean,
): Promise<void> {
  const { runs, damaged } = await folders.list();
  for (const { why } of damaged) context.printError(why);
  if (json) context.output.write(`${JSON.stringify(runs)}\n`);
  else printLines(context, [[], ...runsTable(runs, widthOfOutput(context.output)), []]);
}
