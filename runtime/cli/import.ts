// `dartboard import`: reads trajectories of other programs into the workspace.

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Size } from '../core/screen.ts';
import { IMPORT_FORMATS, type ImportFormat, type ImportReport } from '../protocol/daemon/exchange.ts';
import type { CliContext } from './context.ts';
import { exchangeFor, screenOption } from './exchange.ts';
import { jsonOption } from './options.ts';
import { importLines } from './terminal/exchange-lines.ts';

interface ImportCommandOptions {
  readonly format?: ImportFormat;
  readonly screen?: Size;
  readonly json?: boolean;
}

export function addImportCommand(program: Command, context: CliContext): void {
  program
    .command('import')
    .description(
      'Import trajectories of other programs: OSWorld results, DART messages, AgentNet JSON lines.',
    )
    .argument('<path>', 'a folder, a .json, .jsonl or .zip file')
    .addOption(
      new Option('--format <name>', 'only files of this format (default: the format of each file)').choices(
        IMPORT_FORMATS,
      ),
    )
    .addOption(screenOption())
    .addOption(jsonOption())
    .action((path: string, options: ImportCommandOptions) => importTrajectories(context, path, options));
}

async function importTrajectories(
  context: CliContext,
  path: string,
  { format, screen, json = false }: ImportCommandOptions,
): Promise<void> {
  const exchange = await exchangeFor(context, 'dartboard import');
  let report: ImportReport;
  try {
    report = await exchange.import({
      path: resolve(context.folder, path),
      ...(format !== undefined && { format }),
      ...(screen !== undefined && { screen }),
    });
  } finally {
    await exchange.close();
  }
  if (json) context.output.write(`${JSON.stringify(report)}\n`);
  else for (const line of importLines(report)) context.output.write(`${line}\n`);
  const { stored, known } = report.counts;
  if (stored + known === 0)
    throw new Error(
      `Nothing was imported from '${path}'. ${report.counts.skipped === 0 ? 'It has no .json and no .jsonl file. Give another path' : 'Repair the files that are named above'}, or see docs/formats.md.`,
    );
}
