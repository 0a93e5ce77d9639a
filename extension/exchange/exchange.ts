// `Dartboard: Import Trajectories…` and `Dartboard: Export Trajectories…`: a file dialog and at most three questions; the daemon does the
// work.

import * as vscode from 'vscode';
import { pickOne } from '../ask.ts';
import type { CommandTarget } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { FolderServices } from '../folder-services.ts';
import {
  type ExchangeResult,
  exportResult,
  FORMAT_CHOICES,
  importResult,
  SOURCE_CHOICES,
  scopeChoices,
  stepChoices,
} from './questions.ts';

interface Options extends Pick<FolderServices, 'client' | 'commands'> {
  readonly folder: string;
  readonly log: (message: string) => void;
}

export function activateExchange(options: Options): void {
  const { commands } = options;
  commands.on(COMMANDS.importTrajectories, () => importTrajectories(options));
  commands.on(COMMANDS.exportTrajectories, (target = {}) => exportTrajectories(options, target));
}

async function importTrajectories({ client, folder, log }: Options): Promise<void> {
  const title = 'Import Trajectories';
  const kinds = await sourceKinds(title);
  if (kinds === undefined) return;
  const chosen = await vscode.window.showOpenDialog({
    ...{ title, openLabel: 'Import', defaultUri: vscode.Uri.file(folder), canSelectMany: false, ...kinds },
    ...(kinds.canSelectFiles && { filters: { Trajectories: ['json', 'jsonl', 'zip'] } }),
  });
  const [source] = chosen ?? [];
  if (source === undefined) return;
  const report = await withProgress(
    'Importing trajectories',
    client.request('trajectories.import', { path: source.fsPath }),
  );
  await vscode.commands.executeCommand(COMMANDS.refresh);
  await showResult(importResult(report), log, 'Show Trajectories', () =>
    vscode.commands.executeCommand(COMMANDS.openTrajectories),
  );
}

/** The kinds of entries in the dialog: only that of macOS shows files and folders together. Undefined if the user pressed Escape. */
async function sourceKinds(
  title: string,
): Promise<{ readonly canSelectFolders: boolean; readonly canSelectFiles: boolean } | undefined> {
  if (process.platform === 'darwin') return { canSelectFolders: true, canSelectFiles: true };
  return (await pickOne(SOURCE_CHOICES, { title, placeHolder: 'From' }))?.answer;
}

async function exportTrajectories({ client, folder, log }: Options, target: CommandTarget): Promise<void> {
  const title = 'Export Trajectories';
  const format = (await pickOne(FORMAT_CHOICES, { title, placeHolder: 'Format' }))?.answer;
  if (format === undefined) return;
  const scope = await pickUnlessSingle(scopeChoices(target), { title, placeHolder: 'Trajectories' });
  if (scope === undefined) return;
  const steps = await pickUnlessSingle(stepChoices(format), { title, placeHolder: 'Steps' });
  if (steps === undefined) return;
  const [out] =
    (await vscode.window.showOpenDialog({
      ...{
        title: 'Export to an Empty Folder',
        openLabel: 'Export Here',
        defaultUri: vscode.Uri.file(folder),
      },
      ...{ canSelectFolders: true, canSelectFiles: false, canSelectMany: false },
    })) ?? [];
  if (out === undefined) return;
  const report = await withProgress(
    'Exporting trajectories',
    client.request('trajectories.export', { format, out: out.fsPath, ...scope.answer, ...steps.answer }),
  );
  await showResult(exportResult(report), log, 'Show Folder', () =>
    vscode.commands.executeCommand('revealFileInOS', out),
  );
}

/** Undefined if the user pressed Escape. */
const pickUnlessSingle = async <T extends vscode.QuickPickItem>(
  choices: readonly T[],
  options: { readonly title: string; readonly placeHolder: string },
): Promise<T | undefined> => (choices.length === 1 ? choices[0] : pickOne(choices, options));

/** The command ends here, whether or not the user responds. */
async function showResult(
  { text, details, isIncomplete }: ExchangeResult,
  log: (message: string) => void,
  next: string,
  go: () => Thenable<unknown>,
): Promise<void> {
  for (const detail of details) log(detail);
  const showLog = 'Show Log';
  const show = isIncomplete ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const buttons = details.length > 0 ? [next, showLog] : [next];
  void show(text, ...buttons).then(choice => {
    if (choice === next) return go();
    if (choice === showLog) return vscode.commands.executeCommand(COMMANDS.showLog);
    return undefined;
  });
}

const withProgress = <T>(title: string, task: Promise<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => task);
