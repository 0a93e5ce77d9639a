// `dartboard runs`: lists the runs of the workspace, deletes one, or prints the decisions of the curator.

import type { Command } from 'commander';
import { RunFolders } from '../run/folders/run-folders.ts';
import type { CliContext } from './context.ts';
import { jsonOption, wholeNumber } from './options.ts';
import { printDecisions } from './runs-decisions.ts';
import { deleteRun } from './runs-delete.ts';
import { printLines, widthOfOutput } from './terminal/output.ts';
import { runsTable } from './terminal/runs-table.ts';

const DEFAULT_DECISIONS = 50;
const MAX_DECISIONS = 1_000_000;

interface DecisionOptions {
  readonly task?: string;
  readonly last: number;
  readonly json?: boolean;
}

export function addRunsCommand(program: Command, context: CliContext): void {
  const folders = new RunFolders(context.root);
  const runs = program.command('runs').description('List, inspect and delete the runs of this folder.');
  runs
    .command('list', { isDefault: true })
    .description('list all runs with their success (the default)')
    .addOption(jsonOption())
    .action(({ json = false }: { readonly json?: boolean }) => listRuns(context, folders, json));
  runs
    .command('decisions')
    .description('print why each group was rolled out, how often and how long, and what became of it')
    .argument('[run]', 'name of the run (default: the newest)')
    .option('--task <id>', 'only the groups of this task')
    .option(
      '--last <number>',
      'how many groups, the last ones',
      wholeNumber(1, MAX_DECISIONS),
      DEFAULT_DECISIONS,
    )
    .addOption(jsonOption())
    .action((name: string | undefined, options: DecisionOptions) =>
      printDecisions(context, folders, { ...options, name }),
    );
  runs
    .command('delete')
    .description('delete a run with all its files')
    .argument('<run>', 'name of the run')
    .option('--with-pool', 'delete it even if trajectories of it are in the success pool')
    .action((name: string, { withPool = false }: { readonly withPool?: boolean }) =>
      deleteRun(context, folders, name, withPool),
    );
}

/** Reads the folders of the runs, so it works while another program trains there. */
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
