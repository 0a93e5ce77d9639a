// Folders of task files: valid files become templates, and errors name their file.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seed } from '../../../../runtime/core/ids.ts';
import { worldFromSetup } from '../../../../runtime/environments/pocket/getters.ts';
import { templatesFrom } from '../../../../runtime/environments/pocket/tasks/from-folder.ts';
import { taskFrom } from '../../../../runtime/environments/pocket/tasks/suite.ts';
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

/** The example with another world and another opening. */
const started = (world: object, open: object = { app: 'settings' }): string =>
  JSON.stringify({
    ...JSON.parse(EXAMPLE),
    config: [
      { type: 'pocket_world', parameters: world },
      { type: 'pocket_open', parameters: open },
    ],
  });
const FOLDERS = { root: { kind: 'folder', entries: { Notes: { kind: 'folder', entries: {} } } } };
/** A world with one file of this name. */
const rootWith = (name: string): object => ({
  root: { kind: 'folder', entries: Object.fromEntries([[name, { kind: 'file', text: '' }]]) },
});
const MAIL = {
  ...{ id: 3, folder: 'Inbox', from: 'ada@x.org', to: 'me@x.org', subject: 'Hello', body: '' },
  ...{ read: false, starred: false },
};
const CONTACT = { name: 'Ada Abel', phone: '', mail: 'ada@x.org', company: '' };
const EVENT = { id: 1, date: '2026-03-12', time: '09:00', title: 'Choir' };

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

test('a mail without flags, an hour of one digit and an opening without a value are accepted', async () => {
  const { read: _, starred: __, ...mail } = MAIL;
  const [first] = JSON.parse(EXAMPLE).config;
  const { settings } = first.parameters;
  const label = 'a field of the evaluator';
  const world = { settings, mails: [{ ...mail, label }], events: [{ ...EVENT, time: '9:00' }] };
  save('good.json', started(world, { app: 'settings', what: null }));
  const worlds = (await templatesFrom(folder)).map(
    template => worldFromSetup(taskFrom(template, seed(0)).config ?? []).world,
  );
  expect(worlds).toMatchObject([{ mails: [{ ...MAIL, label }], events: [EVENT] }]);
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
    /bad\.json, instance 0: the solution cannot be played: \{tone\} has no value/,
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

test.each<[string, object, RegExp]>([
  ['a root without its kind', { root: { entries: {} } }, /root\.kind: .*"folder"/],
  [
    'an entry of no kind',
    { root: { kind: 'folder', entries: { plan: { text: '' } } } },
    /root\.entries\.plan\.kind: .*'file' \| 'folder'/,
  ],
  ['a wrong theme', { settings: { theme: 'Dark' } }, /settings\.theme: .*"light"\|"dark", not "Dark"/],
  ['too much volume', { settings: { volume: 140 } }, /settings\.volume: .*<=100, not 140/],
  [
    'a contact without a phone',
    { contacts: [{ ...CONTACT, phone: undefined }] },
    /contacts\.0\.phone: .*expected string/,
  ],
  ['a mail without a number', { mails: [{ ...MAIL, id: undefined }] }, /mails\.0\.id: .*expected number/],
  [
    'a wrong time',
    { events: [{ ...EVENT, time: 'noon' }] },
    /events\.0\.time: give a time such as 09:30, not "noon"/,
  ],
  [
    'a wrong date',
    { events: [{ ...EVENT, date: '2026-02-30' }] },
    /events\.0\.date: give a date such as 2026-03-12, not "2026-02-30"/,
  ],
  [
    'a date that the calendar cannot show',
    { events: [{ ...EVENT, date: '0500-01-01' }] },
    /events\.0\.date: give a date such as 2026-03-12, not "0500-01-01"/,
  ],
  [
    'a time that no clock shows',
    { events: [{ ...EVENT, time: '99:99' }] },
    /events\.0\.time: give a time such as 09:30, not "99:99"/,
  ],
  ['no time', { events: [{ ...EVENT, time: '' }] }, /events\.0\.time: give a time such as 09:30, not ""/],
  ['two mails of one id', { mails: [MAIL, MAIL] }, /mails: give each record an id of its own, not \[/],
  ['two events of one id', { events: [EVENT, EVENT] }, /events: give each record an id of its own, not \[/],
  ['a slash in a name', rootWith('a/b'), /a\/b\.name: "a\/b" is no name; give one that is not empty/],
  ['an empty name', rootWith(''), /"" is no name; give one that is not empty/],
  ['a reserved name', rootWith('__proto__'), /"__proto__" is no name; give one .* is not __proto__\./],
  ['a wrong clock', { now: '10:24' }, /now: give a time such as 2026-03-12 10:24, not "10:24"/],
  [
    'a day that does not exist',
    { now: '2026-02-30 10:24' },
    /now: give a time such as 2026-03-12 10:24, not "2026-02-30 10:24"/,
  ],
])('a world with %s is refused', async (_what, world, message) => {
  save('bad.json', started(world));
  await expect(templatesFrom(folder)).rejects.toThrow(message);
});

test('a number of vary is a text in the steps of scripts', async () => {
  const typed = JSON.parse(EXAMPLE);
  Object.assign(typed, {
    config: [{ type: 'pocket_open', parameters: { app: 'settings', what: 'System' } }],
    evaluator: {
      func: 'exact_match',
      result: { type: 'pocket_state', path: 'settings.deviceName' },
      expected: { type: 'rule', rules: { expected: 'device {number}' } },
    },
  });
  typed.dartboard.vary = { say: ['Name the device.'], number: [7, 12] };
  typed.dartboard.solution = [
    ['fill', 'textfield', 'Device name', 'device '],
    ['type', '{number}'],
    ['keys', 'enter'],
  ];
  typed.dartboard.misses = {};
  save('good.json', JSON.stringify(typed));
  expect(await templatesFrom(folder)).toHaveLength(1);
});

test('another value of vary in a step of a script is an error with the step and the value', async () => {
  save('bad.json', changed('["Chime", "Drop"]', '[true, true]'));
  await expect(templatesFrom(folder)).rejects.toThrow(
    'The step ["click","menuitem","{sound}"] gets the values ["click","menuitem",true], and not all are texts. Give texts or numbers in vary.',
  );
});

test.each<[string, unknown, string]>([
  ['files', '/Letters', 'one of these: /, /Notes.'],
  ['files', 'Notes', 'one of these: /, /Notes.'],
  ['files', '/Notes/', 'one of these: /, /Notes.'],
  ['files', '//Notes', 'one of these: /, /Notes.'],
  ['files', '', 'one of these: /, /Notes.'],
  ['notes', '/Notes', 'notes does not have. Leave it out.'],
  ['settings', 'sound', 'one of these: Display, Sound, '],
  ['calendar', 'today', 'or give a date such as 2026-03-12.'],
  ['contacts', 'Ada', 'one of these: new:, mail:ADDRESS, Ada Abel.'],
  ['mail', 'mail:4', 'one of these: new:, mail:3.'],
  ['calculator', '5', 'calculator does not have. Leave it out.'],
  ['settings', 5, 'pocket_open.what is 5. Give a text.'],
])('a file that opens %s with %j is refused', async (app, what, message) => {
  save('bad.json', started({ ...FOLDERS, mails: [MAIL], contacts: [CONTACT] }, { app, what }));
  await expect(templatesFrom(folder)).rejects.toThrow(message);
});
