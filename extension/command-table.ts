// Registers all commands at activation. Features add the handlers. Errors of handlers are logged and shown.

import * as vscode from 'vscode';
import { messageOf } from '../runtime/core/errors.ts';
import { COMMANDS } from './commands.ts';

/** The tree item, page element or line of dartboard.json on which a command was called. */
export interface CommandTarget {
  readonly run?: string;
  readonly trajectory?: string;
  /** Of the trajectory. */
  readonly step?: number;
  readonly agent?: string;
  /** The name of a key in the secret storage. */
  readonly secret?: string;
}

type Handler = (target: CommandTarget | undefined) => Promise<void> | void;

export class CommandTable {
  readonly #handlers = new Map<string, Handler>();
  readonly #registrations: vscode.Disposable;
  readonly #log: vscode.LogOutputChannel;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
    this.#registrations = vscode.Disposable.from(
      ...Object.values(COMMANDS).map(command =>
        vscode.commands.registerCommand(command, (target?: CommandTarget) => this.#run(command, target)),
      ),
    );
  }

  on(command: string, handler: Handler): void {
    this.#handlers.set(command, handler);
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  async #run(command: string, target: CommandTarget | undefined): Promise<void> {
    try {
      const handler = this.#handlers.get(command);
      if (handler === undefined)
        throw new Error(
          'Dartboard keeps runs in a trusted folder. Open a folder and trust it, then try again.',
        );
      await handler(target);
    } catch (error) {
      const message = messageOf(error);
      this.#log.error(`${command}: ${message}`);
      const showLog = 'Show Log';
      void vscode.window
        .showErrorMessage(message, showLog)
        .then(choice => choice === showLog && this.#log.show());
    }
  }
}
