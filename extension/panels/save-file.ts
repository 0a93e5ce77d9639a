// Saves a file of a page at a place that the user chooses. The file appears complete: it is written under another name and renamed.

import * as vscode from 'vscode';
import { sentenceOf } from '../../runtime/core/errors.ts';
import type { SavedFile } from '../../runtime/protocol/panels.ts';

const OPEN = 'Open in Browser';

/** Never rejects: the user sees the error. */
export async function saveFile({ name, text }: SavedFile, log: (message: string) => void): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { HTML: ['html'] },
    title: 'Export the comparison of runs',
  });
  if (target === undefined) return;
  const unfinished = target.with({ path: `${target.path}.unfinished` });
  try {
    await vscode.workspace.fs.writeFile(unfinished, new TextEncoder().encode(text));
    await vscode.workspace.fs.rename(unfinished, target, { overwrite: true });
  } catch (error) {
    const message = `The report cannot be saved to '${target.fsPath}': ${sentenceOf(error)} Choose another place.`;
    log(message);
    // There may be nothing to delete.
    await vscode.workspace.fs.delete(unfinished).then(undefined, () => undefined);
    void vscode.window.showErrorMessage(message);
    return;
  }
  const choice = await vscode.window.showInformationMessage(`Saved the report to '${target.fsPath}'.`, OPEN);
  if (choice === OPEN) await vscode.env.openExternal(target);
}
