// Adds the entry of an agent to dartboard.json in its editor, and saves the file.

import { type AgentEntry, withAgent } from './entry.ts';

interface FileEditor {
  readonly text: string;
  /** Replaces the whole text. Resolves with false if the editor refused it. */
  replace(text: string): PromiseLike<boolean>;
  /** Resolves with false if the file does not have the text of the editor. */
  save(): PromiseLike<boolean>;
}

/** Rejects if the file does not have the entry. */
export async function saveEntry(editor: FileEditor, name: string, entry: AgentEntry): Promise<void> {
  if (!(await editor.replace(withAgent(editor.text, name, entry))))
    throw new Error(
      `dartboard.json could not be changed, so the agent '${name}' is not configured. Make the file writable, then configure the agent again.`,
    );
  if (!(await editor.save()))
    throw new Error(
      `dartboard.json could not be saved, so the agent '${name}' is not configured. Undo the change in the editor, make the file writable, then configure the agent again.`,
    );
}
