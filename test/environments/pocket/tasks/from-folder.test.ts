// Folders of task files: valid files become templates, and errors name their file.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { templatesFrom } from '../../../../runtime/environments/pocket/tasks/from-folder.ts';
import { EXAMPLE } from './guide.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dartboard-tasks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const save = (name: string, text: string): void => writeFileSync(join(folder, name), text);
/** The example with a text replaced everywhere. */
const changed = (from: string, to: string): string => {
  expect(EXAMPLE).toContain(from);
  return EXAMPLE.replaceAll(from, to);
};

test('every JSON file becomes a template, sorted by name, that has the path of its file', async () => {
  save('b.json', EXAMPLE);
  save('a.json', changed('"quieter-alerts"', '"a-first"'));
  save('notes.md', 'no task');
  save('.hidden.json', 'no task either');
  const templates = await templatesFrom(folder);
  expect(templates.map(({ id, file }) => [id, file])).toEqual([
    ['a-first', join(folder, 'a.json')],
    ['quieter-alerts', join(folder, 'b.json')],
  ]);
});

test('an empty folder has no templates', async () => {
  expect(await templatesFrom(folder)).toEqual([]);
});

test('a missing folder is an error with its path', async () => {
  await expect(templatesFrom(join(folder, 'elsewhere'))).rejects.toThrow(/folder of tasks.*elsewhere/);
});

test.each<[string, () => string, RegExp]>([
  ['no JSON', () => '{', /bad\.json cannot be read as JSON: /],
  ['deep nesting', () => '['.repeat(200) + ']'.repeat(200), /bad\.json cannot be read as JSON: .*nested/],
  ['no task', () => '[]', /bad\.json is not a valid task/],
  ['too much text', () => ' '.repeat(2 ** 20 + 1), /bad\.json has 1048577 characters/],
  [
    'a getter that does not exist',
    () => changed('pocket_state', 'pocket_mood'),
    /bad\.json, instance 0: .*no getter 'pocket_mood'/,
  ],
  [
    'a set-up step that does not exist',
    () => changed('pocket_open', 'pocket_close'),
    /bad\.json, instance 0: .*no set-up step 'pocket_close'/,
  ],
  [
    'an application that does not exist',
    () => changed('"app": "settings"', '"app": "chess"'),
    /bad\.json, instance 0: .*'chess'/,
  ],
  [
    'a name in braces that does not vary',
    () => changed('["click", "menuitem", "{sound}"]', '["click", "menuitem", "{tone}"]'),
    /bad\.json, instance 0: \{tone\} has no value/,
  ],
  [
    'such a name in test instances only',
    () => changed('"vary": {', '"vary_test": { "say": ["Use {tone}."] }, "vary": {'),
    /bad\.json, instance 1000: \{tone\} has no value/,
  ],
  [
    'a solution that scores 0',
    () => changed('"expected": false', '"expected": true'),
    /bad\.json, instance 0: the solution scores 0: /,
  ],
  [
    'a near miss that scores 1',
    () =>
      changed('"still muted": [', '"all done": [["click", "tab", "Sound"], ["click", "checkbox", "Mute"],'),
    /bad\.json, instance 0: 'all done' scores 1 and not 0/,
  ],
])('a file with %s is refused', async (_what, text, message) => {
  save('bad.json', text());
  await expect(templatesFrom(folder)).rejects.toThrow(message);
});
