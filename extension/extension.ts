// The extension's table of contents: every feature is a folder that is handed what it needs. VS Code calls `activate`
// at the first Dartboard command, never when it starts itself.

import type { ExtensionContext } from 'vscode';
import { activateStart } from './start/start.ts';

export function activate(context: ExtensionContext): void {
  context.subscriptions.push(activateStart(context));
}
