// `dartboard export`: writes stored trajectories in the formats of other programs.

import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { closestName } from '../config/closest-name.ts';
import { messageOf } from '../core/errors.ts';
import { trajectoryId } from '../core/ids.ts';
import type { Size } from '../core/screen.ts';
import { SPLITS, type TaskSplit } from '../environments/suite.ts';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportReport,
  FORMAT_TITLES,
} from '../protocol/daemon/exchange.ts';
import { RunFolders } from '../run/folders/run-folders.ts';
import type { CliContext } from './context.ts';
import { exchangeFor, screenOption } from './exchange.ts';
import { jsonOption } from './options.ts';
import { exportLines } from './terminal/exchange-lines.ts';

interface ExportCommandOptions {
  readonly out: string;
  readonly replace?: true;
  readonly only?: 'successes';
  readonly split?: TaskSplit;
  readonly whole?: true;
  readonly screen?: Size;
  readonly json?: boolean;
}

export function addExportCommand(program: Command, context: CliContext): void {
  program
    .command('export')
    .description('Export trajectories for other programs, or as messages for fine-tuning a model.')
    .addArgument(new Argument('<format>', 'format of the files').choices(EXPORT_FORMATS))
    .argument('[names...]', 'runs or trajectories (default: all trajectories of this folder)')
    .requiredOption('--out <folder>', 'an empty or a new folder for the files (required)')
    .option('--replace', 'delete the files of an earlier export in the folder first')
    .addOption(new Option('--only <what>', 'only successes').choices(['successes']))
    .addOption(
      new Option('--split <name>', 'only training instances, test instances or unseen tasks').choices(SPLITS),
    )
    .option(
      '--whole',
      'all steps, also those that a trim leaves out (osworld: always; default: only the part to learn from)',
    )
    .addOption(screenOption())
    .addOption(jsonOption())
    .action((format: ExportFormat, names: readonly string[], options: ExportCommandOptions) =>
      exportNamed(context, format, names, options),
    );
}

async function exportNamed(
  context: CliContext,
  format: ExportFormat,
  names: readonly string[],
  { out, replace, only, split, whole, screen, json = false }: ExportCommandOptions,
): Promise<void> {
  const { runs: intact, damaged } = await new RunFolders(context.root).list();
  // The index has the trajectories of a run whose run.json is damaged.
  const known = [...intact, ...damaged].map(({ run }) => run);
  const isRun = (name: string): boolean => known.includes(name);
  const runs = names.filter(isRun);
  const trajectories = names.filter(name => !isRun(name)).map(trajectoryId);
  const exchange = await exchangeFor(context, 'dartboard export');
  const folder = resolve(context.folder, out);
  if (!json) context.output.write(`Exporting to ${folder} as ${FORMAT_TITLES[format]} …\n`);
  let report: ExportReport;
  try {
    report = await exchange.export({
      ...{ format, out: folder },
      ...(replace !== undefined && { replace }),
      ...(runs.length > 0 && { runs }),
      ...(trajectories.length > 0 && { trajectories }),
      ...(only !== undefined && { only }),
      ...(split !== undefined && { split }),
      ...(whole !== undefined && { whole }),
      ...(screen !== undefined && { screen }),
    });
  } catch (error) {
    throw withNoRun(error, trajectories, known);
  } finally {
    await exchange.close();
  }
  if (json) context.output.write(`${JSON.stringify(report)}\n`);
  else for (const line of exportLines(report)) context.output.write(`${line}\n`);
  if (report.counts.trajectories === 0)
    throw new Error(
      report.counts.skipped === 0
        ? `No stored trajectory fits, so '${out}' has no files. Choose others, or leave out --only and --split.`
        : `No trajectory could be written to '${out}'. Choose another format for those that are named above.`,
    );
}

/** A name of no trajectory may be that of a run, mistyped. */
function withNoRun(error: unknown, names: readonly string[], runs: readonly string[]): unknown {
  const name = names.find(each => messageOf(error).startsWith(`No trajectory is called '${each}'.`));
  if (name === undefined) return error;
  const closest = closestName(name, runs);
  const hint =
    closest === undefined
      ? "'dartboard runs' lists all runs, and the panel Trajectories all trajectories that retention has kept."
      : `Did you mean '${closest}'?`;
  return new RangeError(`No run and no trajectory is called '${name}'. ${hint}`, { cause: error });
}
