// All commands of the extension are there as soon as it is awake; what each does is put in by the features. What goes wrong is said, with
// the log one click away.

import * as vscode from 'vscode';
import { COMMANDS } from './commands.ts';

/** What a tree or a page calls a command on. */
export interface Target {
  readonly run?: string;
  readonly trajectory?: string;
}

type Doing = (target: Target | undefined) => Promise<void> | void;

export class CommandTable {
  readonly #doings = new Map<string, Doing>();
  readonly #registered: vscode.Disposable;
  readonly #log: vscode.LogOutputChannel;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
    this.#registered = vscode.Disposable.from(
      ...Object.values(COMMANDS).map(command =>
        vscode.commands.registerCommand(command, (target?: Target) => this.#run(command, target)),
      ),
    );
  }

  on(command: string, doing: Doing): void {
    this.#doings.set(command, doing);
  }

  dispose(): void {
    this.#registered.dispose();
  }

  async #run(command: string, target: Target | undefined): Promise<void> {
    const { t } = vscode.l10n;
    try {
      const doing = this.#doings.get(command);
      if (doing === undefined) throw new Error(t('Open a folder first, and trust it: runs are kept there.'));
      await doing(target);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#log.error(`${command}: ${why}`);
      const show = t('Show Log');
      void vscode.window.showErrorMessage(why, show).then(chosen => chosen === show && this.#log.show());
    }
  }
}
