// Evaluate, Run an Instruction, Play, Run Doctor: what shows itself in a terminal.

import * as vscode from 'vscode';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import { instructed, type Program } from '../program.ts';
import { runInTerminal, showIfRunning } from './terminal.ts';

/** What its terminal is called. */
const RUN = 'Dartboard Run';

/** The program that runs the command line with these arguments. */
type ProgramOf = (...args: readonly string[]) => Program;

/** `hasWeights` tells whether something was trained in the folder. */
export function activateTerminal(
  commands: CommandTable,
  program: ProgramOf,
  hasWeights: () => boolean,
): void {
  // Said at once, and not in a terminal after what somebody has typed.
  const weightsOf = (run: string | undefined): readonly string[] => {
    if (run !== undefined) return ['--weights', run];
    if (hasWeights()) return [];
    throw new Error(vscode.l10n.t('Nothing was trained here yet: start a training first.'));
  };
  commands.on(COMMANDS.play, () => runInTerminal('Dartboard Play', program('play')));
  commands.on(COMMANDS.doctor, () => runInTerminal('Dartboard Doctor', program('doctor')));
  commands.on(COMMANDS.evaluate, target =>
    runInTerminal('Dartboard Evaluate', program('eval', ...weightsOf(target?.run))),
  );
  commands.on(COMMANDS.run, async target => {
    const weights = weightsOf(target?.run);
    // Before somebody has typed.
    if (showIfRunning(RUN)) return;
    const instruction = await vscode.window.showInputBox({
      title: vscode.l10n.t('What should it do?'),
      placeHolder: vscode.l10n.t('Turn night light on.'),
      prompt: vscode.l10n.t('Nothing is a task of the suite.'),
      ignoreFocusOut: true,
    });
    if (instruction === undefined) return;
    await runInTerminal(RUN, instructed(program('run', ...weights), instruction));
  });
}
