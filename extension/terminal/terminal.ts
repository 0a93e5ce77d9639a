// Runs programs in a terminal, where they show their progress and Ctrl-C stops them. They run as tasks: the
// terminal of a task stays open after its program exits, while a terminal that an extension opens closes with
// its program.

import * as vscode from 'vscode';
import type { CommandLine } from '../program.ts';

const TASK_SOURCE = 'Dartboard';
const TASK_TYPE = 'dartboard';

/** Shows the terminal of the running program of this name, and tells the user. Returns false if none runs. */
export function revealRunning(name: string): boolean {
  const hasName = ({ task }: vscode.TaskExecution): boolean =>
    task.definition.type === TASK_TYPE && task.definition['program'] === name;
  if (!vscode.tasks.taskExecutions.some(hasName)) return false;
  vscode.window.terminals.find(terminal => terminal.name === name)?.show();
  const text = `'${name}' is still running. Wait until it ends, or press Ctrl-C in its terminal.`;
  void vscode.window.showInformationMessage(text);
  return true;
}

/** Starts nothing if a program of this name still runs. */
export async function runInTerminal(name: string, program: CommandLine): Promise<void> {
  if (revealRunning(name)) return;
  const definition = { type: TASK_TYPE, program: name };
  const execution = executionOf(program);
  const task = new vscode.Task(definition, vscode.TaskScope.Workspace, name, TASK_SOURCE, execution, []);
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
}: CommandLine): vscode.ProcessExecution | vscode.ShellExecution {
  const options = { cwd, env: { ...env } };
  if (shell === undefined) return new vscode.ProcessExecution(file, [...args], options);
  const { executable, shellArgs } = shell;
  return new vscode.ShellExecution(file, [...args], { ...options, executable, shellArgs: [...shellArgs] });
}
