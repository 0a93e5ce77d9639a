// Play and Run Doctor: commands of the command line that run in a terminal and need no folder.

import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { CommandLine } from '../program.ts';
import { runInTerminal } from './terminal.ts';

interface Options {
  readonly commands: CommandTable;
  readonly program: (...args: readonly string[]) => CommandLine;
}

export function activateTerminal({ commands, program }: Options): void {
  commands.on(COMMANDS.play, () => runInTerminal('Dartboard Play', program('play')));
  commands.on(COMMANDS.doctor, () => runInTerminal('Dartboard Doctor', program('doctor')));
}
