// Writes updates to a test run of VS Code.

import * as vscode from 'vscode';
import { inspectorLink, LINKED_COMMAND, terminalText } from './links.ts';
import type { FailureMessage, TestUpdate } from './progress.ts';

/** `itemOf` is undefined for a test that no longer exists. */
export function reportTo(
  run: vscode.TestRun,
  itemOf: (id: string) => vscode.TestItem | undefined,
): (update: TestUpdate) => void {
  return update => {
    const item = itemOf(update.id);
    if (item === undefined) return;
    // A test without a finished episode took no time.
    const duration = 'durationMs' in update && update.durationMs > 0 ? update.durationMs : undefined;
    switch (update.kind) {
      case 'started':
        return run.started(item);
      case 'skipped':
        return run.skipped(item);
      case 'output':
        return run.appendOutput(terminalText(update.text), undefined, item);
      case 'passed':
        return run.passed(item, duration);
      case 'failed':
        return run.failed(item, messageOfFailure(update.message), duration);
      case 'errored':
        return run.errored(item, new vscode.TestMessage(update.message), duration);
    }
  };
}

function messageOfFailure({ text, at }: FailureMessage): vscode.TestMessage {
  if (at === undefined) return new vscode.TestMessage(text);
  const markdown = new vscode.MarkdownString().appendText(`${text}. `).appendMarkdown(inspectorLink(at));
  markdown.isTrusted = { enabledCommands: [LINKED_COMMAND] };
  return new vscode.TestMessage(markdown);
}
