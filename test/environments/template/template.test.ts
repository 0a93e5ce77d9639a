// Templates from task files, and the errors of invalid ones.

import { expect, test } from 'vitest';
import { templateReader } from '../../../runtime/environments/template/template.ts';

const SHARED = {
  files: { train: ['red.txt', 'green.txt'], test: ['blue.txt', 'white.txt'] },
  others: { train: ['one.txt'], test: ['two.txt'] },
};
const templateFromFile = templateReader({
  parts: { show_note: { type: 'launch', parameters: { command: ['mousepad', 'Documents/{file}'] } } },
  values: SHARED,
});

const FILE = {
  id: 'say-it',
  instruction: '{say}',
  snapshot: 'dartboard-small',
  config: [{ type: 'launch', parameters: { command: ['mousepad', '{file}'] } }],
  evaluator: {
    func: 'exact_match',
    result: { type: 'vm_file', path: '{file}' },
    expected: { type: 'rule', rules: { expected: '{number}' } },
  },
  related_apps: ['mousepad'],
  dartboard: {
    tier: 1,
    vary: { say: ['Write {number} into {file}.'], file: ['a.txt', 'b.txt'], number: [12] },
    vary_test: { number: [34] },
    solution: [
      ['type', '{number}'],
      ['keys', 'ctrl', 's'],
    ],
    misses: { 'not saved': [['type', '{number}']] },
  },
};

const withNotes = (notes: object) => ({ ...FILE, dartboard: { ...FILE.dartboard, ...notes } });

test('names are filled in everywhere, and numbers stay numbers except in typed text', () => {
  const made = templateFromFile(FILE, 'say-it.json').make(0);
  expect(made.instruction).toMatch(/^Write 12 into [ab]\.txt\.$/);
  expect(made.evaluator.expected).toEqual({ type: 'rule', rules: { expected: 12 } });
  expect(made.solution[0]).toEqual(['type', '12']);
  expect(made.misses['not saved']).toEqual([['type', '12']]);
});

test('test instances draw from their own values', () => {
  expect(templateFromFile(FILE, 'say-it.json').make(1000).instruction).toMatch(/^Write 34 /);
});

test('a shared list has separate values for training and tests', () => {
  const { train, test } = SHARED.files;
  const vary = { ...FILE.dartboard.vary, file: { of: 'files' } };
  const template = templateFromFile(withNotes({ vary }), 'say-it.json');
  const file = (number: number) => template.make(number).instruction.replace(/^.* into (.*)\.$/, '$1');
  expect(train).toContain(file(0));
  expect(test).toContain(file(1000));
});

test('a shared part is filled in with the values of the instance', () => {
  const file = { ...FILE, config: ['{show_note}'] };
  const [step] = templateFromFile(file, 'say-it.json').make(0).config;
  expect(step?.type).toBe('launch');
  expect(JSON.stringify(step)).toMatch(/Documents\/[ab]\.txt/);
});

test('a near miss that is a number stops after so many steps of the solution', () => {
  const template = templateFromFile(withNotes({ misses: { 'not saved': 1 } }), 'say-it.json');
  expect(template.make(0).misses['not saved']).toEqual([['type', '12']]);
});

test('the tier sets the default limit of steps', () => {
  expect(templateFromFile(FILE, 'say-it.json').make(0).maxSteps).toBe(6);
  const long = { ...FILE, dartboard: { ...FILE.dartboard, max_steps: 9 } };
  expect(templateFromFile(long, 'say-it.json').make(0).maxSteps).toBe(9);
});

test('the split unseen excludes the task from training', () => {
  const unseen = { ...FILE, dartboard: { ...FILE.dartboard, split: 'unseen' } };
  expect(templateFromFile(unseen, 'say-it.json').unseen).toBe(true);
  expect(templateFromFile(FILE, 'say-it.json').unseen).toBeUndefined();
});

test.each<[string, unknown, RegExp]>([
  ['no tier', withNotes({ tier: undefined }), /mine\.json is not a valid template\. dartboard\.tier/],
  [
    'no solution',
    withNotes({ solution: undefined }),
    /mine\.json is not a valid template\. dartboard\.solution/,
  ],
  [
    'an empty solution',
    withNotes({ solution: [] }),
    /mine\.json is not a valid template\. dartboard\.solution/,
  ],
  [
    'a step that does not exist',
    withNotes({ solution: [['press', 'a', 'b']] }),
    /mine\.json is not a valid template\. dartboard\.solution\.0/,
  ],
  [
    'a list that is not there',
    withNotes({ vary: { ...FILE.dartboard.vary, file: { of: 'fields' } } }),
    /dartboard\.vary\.file: Give a list of values, or \{"of": NAME\} with one of files, others/,
  ],
  [
    'a name that does not vary',
    withNotes({ misses: { odd: [['type', '{word}']] } }),
    /\{word\} has no value\. Add it to vary, which has say, file, number\./,
  ],
])('%s is an error with file and field', (_, file, complaint) => {
  expect(() => templateFromFile(file, 'mine.json').make(0)).toThrow(complaint);
});
