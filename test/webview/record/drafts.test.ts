import { expect, test } from 'vitest';
import { RecordDrafts } from '../../../webview/record/drafts.ts';

function storage(stored: Readonly<Record<string, unknown>> = {}) {
  const all = new Map(Object.entries(stored));
  return {
    read: (name: string) => all.get(name),
    keep: (name: string, value: unknown) => void all.set(name, structuredClone(value)),
  };
}

test('choices survive the page, each on its own', () => {
  const kept = storage();
  const drafts = new RecordDrafts(kept);
  expect(drafts.choice).toEqual({ agent: '', own: '', query: '' });
  drafts.choose({ own: 'Book a table.' });
  drafts.choose({ kind: 'web', agent: 'tars' });
  expect(new RecordDrafts(kept).choice).toEqual({
    ...{ kind: 'web', agent: 'tars', own: 'Book a table.', query: '' },
  });
});

test('dropped steps belong to one recording', () => {
  const kept = storage();
  new RecordDrafts(kept).drop('one', [0, 3]);
  expect(new RecordDrafts(kept).droppedFrom('one')).toEqual([0, 3]);
  expect(new RecordDrafts(kept).droppedFrom('two')).toEqual([]);
});

test('what another version has stored is no error', () => {
  const drafts = new RecordDrafts(
    storage({ 'record-choice': { kind: 'moon', own: 7 }, 'record-dropped': 1 }),
  );
  expect(drafts.choice).toEqual({ kind: undefined, agent: '', own: '', query: '' });
  expect(drafts.droppedFrom('one')).toEqual([]);
});
