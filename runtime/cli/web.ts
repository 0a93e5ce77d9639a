// `dartboard web`: gets pages for web desktops.

import { relative, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { downloadMiniwob, MINIWOB_SOURCE } from '../environments/web/miniwob/download.ts';
import { miniwobSuite } from '../environments/web/miniwob/suite.ts';
import type { CliContext } from './context.ts';

/** Below the workspace. */
const MINIWOB_FOLDER = '.dartboard/miniwob';

export function addWebCommand(program: Command, context: CliContext, source = MINIWOB_SOURCE): void {
  const { clock, folder: workspace, output, stopSignal } = context;
  program
    .command('web')
    .description('Get pages for web desktops.')
    .command('get')
    .description('download the pages of a benchmark')
    .addArgument(new Argument('<benchmark>', 'miniwob: MiniWoB++ 1.0, about 3 MB').choices(['miniwob']))
    .option('--to <folder>', 'new folder for the pages', MINIWOB_FOLDER)
    .action(async (_benchmark: string, { to }: { readonly to: string }) => {
      const folder = resolve(workspace, to);
      await downloadMiniwob({ source, folder, clock, signal: stopSignal() });
      const pages = (await miniwobSuite(folder)).templates.length;
      const miniwob = relative(workspace, folder) || folder;
      const setting = JSON.stringify({
        environments: { kind: 'web', web: { miniwob } },
        suite: { tiers: [1, 2, 3, 4] },
      });
      output.write(
        `${pages} pages of MiniWoB++ are in ${miniwob}\nSet in dartboard.json to train on them: ${setting}\n`,
      );
    });
}
