// Commands that run a program in a terminal, where it shows itself and Ctrl-C stops it. They run as tasks, since the terminal of a task
// stays open when its program has ended, with all that it has shown; a terminal that an extension opens by itself is gone at that moment.

import * as vscode from 'vscode';
import type { Program } from '../program.ts';

const SOURCE = 'Dartboard';
const TYPE = 'dartboard';

/** One of each name at a time: where it runs still, its terminal is shown, and that is told. */
export function showIfRunning(name: string): boolean {
  const isIts = ({ task }: vscode.TaskExecution): boolean =>
    task.definition.type === TYPE && task.definition['program'] === name;
  if (!vscode.tasks.taskExecutions.some(isIts)) return false;
  vscode.window.terminals.find(terminal => terminal.name === name)?.show();
  const says = vscode.l10n.t(
    "'{0}' is still running: wait for its end, or stop it in its terminal with Ctrl-C.",
    name,
  );
  void vscode.window.showInformationMessage(says);
  return true;
}

/** Nothing where one of that name runs still. */
export async function runInTerminal(name: string, program: Program): Promise<void> {
  if (showIfRunning(name)) return;
  const task = new vscode.Task(
    { type: TYPE, program: name },
    vscode.TaskScope.Workspace,
    name,
    SOURCE,
    executionOf(program),
    [],
  );
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    echo: false,
  };
  await vscode.tasks.executeTask(task);
}

function executionOf({
  file,
  args,
  env,
  cwd,
  shell,
}: Program): vscode.ProcessExecution | vscode.ShellExecution {
  const options = { cwd, env: { ...env } };
  if (shell === undefined) return new vscode.ProcessExecution(file, [...args], options);
  const { executable, shellArgs } = shell;
  return new vscode.ShellExecution(file, [...args], { ...options, executable, shellArgs: [...shellArgs] });
}
