// The commands that run a program in a terminal: `Dartboard: Start` trains, where the training shows itself and Ctrl-C stops it;
// `Dartboard: Play` serves the desktop at an address that can be clicked. They run as tasks, since the terminal of a task stays open
// when its program has ended, with all that it has shown; a terminal that an extension opens by itself is gone at that moment.

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import { type Program, programFor } from './program.ts';

/** What a command runs, and the name of its task, and so of its terminal. */
const RUNS = [
  { command: COMMANDS.start, program: 'start', name: 'Dartboard' },
  { command: COMMANDS.play, program: 'play', name: 'Dartboard Play' },
] as const;
type Run = (typeof RUNS)[number];

const SOURCE = 'Dartboard';
const TYPE = 'dartboard';

export function activateStart(context: vscode.ExtensionContext): vscode.Disposable {
  return vscode.Disposable.from(
    ...RUNS.map(run => vscode.commands.registerCommand(run.command, () => start(run, context))),
  );
}

async function start(run: Run, { extensionPath }: vscode.ExtensionContext): Promise<void> {
  const isIts = ({ task: { definition } }: vscode.TaskExecution) =>
    definition.type === TYPE && definition['command'] === run.command;
  if (vscode.tasks.taskExecutions.some(isIts)) {
    vscode.window.terminals.find(({ name }) => name === run.name)?.show();
    return;
  }
  const program = programFor(run.program, {
    node: process.execPath,
    platform: process.platform,
    installed: extensionPath,
    workspace: vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath,
    home: homedir(),
  });
  await vscode.tasks.executeTask(taskOf(run, program));
}

function taskOf({ command, name }: Run, program: Program): vscode.Task {
  const definition = { type: TYPE, command };
  const task = new vscode.Task(
    definition,
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
