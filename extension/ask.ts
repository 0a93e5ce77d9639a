// The questions of the extension. They stay open until the user answers them or presses Escape: on a busy machine a panel or an editor can
// get the focus a moment after a question opened, which would close it unseen.

import * as vscode from 'vscode';

type PickOptions = Pick<vscode.QuickPickOptions, 'title' | 'placeHolder' | 'matchOnDescription'>;
type InputOptions = Omit<vscode.InputBoxOptions, 'ignoreFocusOut'>;

/** Undefined if the user pressed Escape. A quick pick whose items are promised opens at once. */
export const pickOne = async <T extends vscode.QuickPickItem>(
  items: readonly T[] | Promise<readonly T[]>,
  options: PickOptions,
): Promise<T | undefined> =>
  vscode.window.showQuickPick<T>(items instanceof Promise ? items.then(each => [...each]) : [...items], {
    ...options,
    ignoreFocusOut: true,
  });

/** Undefined if the user pressed Escape. */
export const pickSeveral = async <T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: PickOptions,
): Promise<readonly T[] | undefined> =>
  vscode.window.showQuickPick<T>([...items], { ...options, canPickMany: true, ignoreFocusOut: true });

/** Undefined if the user pressed Escape. */
export const askText = async (options: InputOptions): Promise<string | undefined> =>
  vscode.window.showInputBox({ ...options, ignoreFocusOut: true });
