import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { osworldSuite } from '../../../runtime/environments/osworld/suite.ts';
import { temporaryFolder } from '../../temporary.ts';

const CHROME = 'bb5e4c0d-f964-439c-97b6-bdb9747de3f4';
const THUNDERBIRD = 'dfac9ee8-9bc4-4cdc-b465-4a4bfcd2f397';

const taskOf = (id: string, instruction: string) =>
  JSON.stringify({
    ...{ id, instruction, config: [] },
    evaluator: { func: 'infeasible' },
  });

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('tasks');
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return folder;
}

test('a file of OSWorld names its task, whatever id it contains', async () => {
  const folder = folderWith({
    [`chrome/${CHROME}.json`]: taskOf(CHROME, 'Change the search engine.'),
    [`thunderbird/${THUNDERBIRD}.json`]: taskOf(CHROME, 'Set up an account.'),
  });
  const suite = await osworldSuite(folder);
  const instructions = suite
    .tasks('train')
    .map(id => [id, suite.task(id, suite.seed('train', 0)).instruction]);
  expect(instructions).toEqual([
    [CHROME, 'Change the search engine.'],
    [THUNDERBIRD, 'Set up an account.'],
  ]);
  expect(suite.tasks('train').map(id => suite.task(id, suite.seed('train', 0)).id)).toEqual([
    CHROME,
    THUNDERBIRD,
  ]);
  expect(suite.left).toEqual([]);
});

test('other files keep their ids, which must differ', async () => {
  const own = await osworldSuite(folderWith({ 'first.json': taskOf('own', 'Do it.') }));
  expect(own.tasks('test')).toEqual(['own']);
  const both = folderWith({
    'first.json': taskOf('own', 'Do it.'),
    'second.json': taskOf('own', 'Do more.'),
  });
  await expect(osworldSuite(both)).rejects.toThrow(/Two tasks have the id 'own'.*first\.json.*second\.json/);
});

const patterned = (func: string, rules: unknown, options = {}) =>
  JSON.stringify({
    ...{ id: 'patterned', instruction: 'Do it.' },
    evaluator: { func, options, result: { type: 'rule' }, expected: { type: 'rule', rules } },
  });

test.each([
  ['check_list', { expect: ['ok'], unexpect: ['\\bCOMPANY/?(?!\\.msf)'] }],
  ['is_expected_url_pattern_match', { expected: ['ok', '(?=a)'] }],
  ['is_expected_search_query', { expect: { pattern: '(a)\\1' } }],
  ['check_json', { expect: [{ key: ['a'], method: 're.I', ref: '(?<=a)b' }] }],
])('a task whose pattern cannot be compiled is left out: %s', async (func, rules) => {
  const { left } = await osworldSuite(folderWith({ 'a.json': patterned(func, rules) }));
  expect(left.map(({ missing }) => missing)).toEqual([
    [expect.stringMatching(/^RE2 rejects the pattern .*supported$/)],
  ]);
});

test('a pattern in the options of a metric counts too, and one that can be compiled does not', async () => {
  const cell = (ref: string) => ({ rules: [{ type: 'check_cell', value: { method: 're', ref } }] });
  const files = { 'a.json': patterned('compare_table', {}, cell('(?=a)')) };
  expect((await osworldSuite(folderWith(files))).left).toHaveLength(1);
  const good = { 'a.json': patterned('compare_table', {}, cell('^a+\\d$')) };
  expect((await osworldSuite(folderWith(good))).left).toEqual([]);
});
