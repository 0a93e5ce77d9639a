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
