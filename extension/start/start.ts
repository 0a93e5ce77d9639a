// The command `Dartboard: Start`: the program runs in a terminal, where the address that it prints can be clicked. It runs
// as a task, since the terminal of a task stays open when its program has ended, with all that it has shown; a terminal
// that an extension opens by itself is gone at that moment.

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import { type Program, startProgram } from './program.ts';

/** The name of the task, and so of its terminal. */
const NAME = 'Dartboard';
const TYPE = 'dartboard';

export function activateStart(context: vscode.ExtensionContext): vscode.Disposable {
  return vscode.commands.registerCommand(COMMANDS.start, () => start(context));
}

async function start({ extensionPath }: vscode.ExtensionContext): Promise<void> {
  if (vscode.tasks.taskExecutions.some(({ task }) => task.definition.type === TYPE)) {
    vscode.window.terminals.find(({ name }) => name === NAME)?.show();
    return;
  }
  const program = startProgram({
    node: process.execPath,
    platform: process.platform,
    installed: extensionPath,
    workspace: vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath,
    home: homedir(),
  });
  await vscode.tasks.executeTask(taskOf(program));
}

function taskOf(program: Program): vscode.Task {
  const definition = { type: TYPE, command: COMMANDS.start };
  const task = new vscode.Task(definition, vscode.TaskScope.Workspace, NAME, NAME, executionOf(program), []);
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    echo: false,
  };
  return task;
}

function executionOf({
  file,
  args,
  env,
  cwd,
  shell,
}: Program): vscode.ProcessExecution | vscode.ShellExecution {
  if (shell === undefined) return new vscode.ProcessExecution(file, [...args], { cwd, env });
  const { executable, shellArgs } = shell;
  return new vscode.ShellExecution(file, [...args], { cwd, env, executable, shellArgs: [...shellArgs] });
}
