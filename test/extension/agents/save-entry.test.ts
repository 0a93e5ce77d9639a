import { expect, test } from 'vitest';
import { withAgent } from '../../../extension/agents/entry.ts';
import { saveEntry } from '../../../extension/agents/save-entry.ts';

const ENTRY = { profile: 'generic', url: 'http://localhost:8000/v1', model: 'm' };
const TEXT = '{"minutes": 5}';

/** `texts` has the changes of the editor, and 'saved'. */
function editorOf({ canChange = true, canSave = true }) {
  const texts: string[] = [];
  const editor = {
    text: TEXT,
    replace: async (text: string) => {
      if (canChange) texts.push(text);
      return canChange;
    },
    save: async () => {
      if (canSave) texts.push('saved');
      return canSave;
    },
  };
  return { editor, texts };
}

test('changes the text, then saves the file', async () => {
  const { editor, texts } = editorOf({});
  await saveEntry(editor, 'reader', ENTRY);
  expect(texts).toEqual([withAgent(TEXT, 'reader', ENTRY), 'saved']);
});

test('an agent whose file is not written is not configured', async () => {
  const [locked, full] = [editorOf({ canChange: false }), editorOf({ canSave: false })];
  await expect(saveEntry(locked.editor, 'reader', ENTRY)).rejects.toThrow(
    /could not be changed, so the agent 'reader' is not configured\. Make the file writable/,
  );
  expect(locked.texts).toEqual([]);
  await expect(saveEntry(full.editor, 'reader', ENTRY)).rejects.toThrow(
    /could not be saved, so the agent 'reader' is not configured\. Undo the change .+ configure the agent again/,
  );
});
