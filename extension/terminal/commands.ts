// Evaluate, Run an Instruction, Play and Run Doctor: commands of the command line that run in a terminal.

import * as vscode from 'vscode';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import { type CommandLine, withInstruction } from '../program.ts';
import { revealRunning, runInTerminal } from './terminal.ts';

const RUN_TERMINAL = 'Dartboard Run';

interface Options {
  readonly commands: CommandTable;
  readonly program: (...args: readonly string[]) => CommandLine;
  /** Whether the folder has a run with weights. */
  readonly hasWeights: () => boolean;
}

export function activateTerminal({ commands, program, hasWeights }: Options): void {
  // Checks before the user types an instruction, and before a terminal opens.
  const weightsOption = (run: string | undefined): readonly string[] => {
    if (run !== undefined) return ['--weights', run];
    if (hasWeights()) return [];
    throw new Error('This folder has no trained weights. Start a training first.');
  };
  commands.on(COMMANDS.play, () => runInTerminal('Dartboard Play', program('play')));
  commands.on(COMMANDS.doctor, () => runInTerminal('Dartboard Doctor', program('doctor')));
  commands.on(COMMANDS.evaluate, target =>
    runInTerminal('Dartboard Evaluate', program('eval', ...weightsOption(target?.run))),
  );
  commands.on(COMMANDS.run, async target => {
    const weights = weightsOption(target?.run);
    if (revealRunning(RUN_TERMINAL)) return;
    const instruction = await vscode.window.showInputBox({
      title: 'Instruction for the agent',
      placeHolder: 'Turn night light on.',
      prompt: 'Leave it empty for a task of the suite.',
      ignoreFocusOut: true,
    });
    if (instruction === undefined) return;
    await runInTerminal(RUN_TERMINAL, withInstruction(program('run', ...weights), instruction));
  });
}
