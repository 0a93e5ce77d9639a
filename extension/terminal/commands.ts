// Run Doctor: a command of the command line that runs in a terminal and needs no folder.

import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { CommandLine } from '../program.ts';
import { runInTerminal } from './terminal.ts';

interface Options {
  readonly commands: CommandTable;
  readonly program: (...args: readonly string[]) => CommandLine;
}

export function activateTerminal({ commands, program }: Options): void {
  commands.on(COMMANDS.doctor, () => runInTerminal('Dartboard Doctor', program('doctor')));
}
