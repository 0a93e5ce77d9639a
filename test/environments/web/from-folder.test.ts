import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webSuite } from '../../../runtime/environments/web/open-web.ts';
import { webTasksFrom } from '../../../runtime/environments/web/tasks/from-folder.ts';

const TASK = {
  id: 'press',
  instruction: 'Press {what}.',
  config: [{ type: 'open', parameters: { url: 'http://a.test/?{what}' } }],
  evaluator: {
    func: 'exact_match',
    result: { type: 'url' },
    expected: { type: 'rule', rules: { expected: '{what}' } },
  },
  dartboard: {
    tier: 1,
    vary: { what: ['OK'] },
    vary_test: { what: ['Cancel'] },
    solution: [['click', 'button', '{what}']],
  },
};

async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dartboard-tasks-'));
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(value));
  return folder;
}

test('each file is a task with training and test instances', async () => {
  const suite = await webTasksFrom(await folderWith({ 'press.json': TASK, 'notes.txt': 'ignored' }));
  expect(suite.tasks('train')).toEqual(['press']);
  expect(suite.task('press', suite.seed('train', 0)).instruction).toBe('Press OK.');
  expect(suite.task('press', suite.seed('test', 0)).instruction).toBe('Press Cancel.');
});

test('the example of the guide is a task beside the built-in ones', async () => {
  const guide = await readFile(new URL('../../../docs/tasks.md', import.meta.url), 'utf8');
  const [, example = ''] = /## Tasks of web desktops[\s\S]*?```json\n([\s\S]*?)```/.exec(guide) ?? [];
  const suite = await webSuite({ files: await folderWith({ 'example.json': JSON.parse(example) }) });
  const instruction = (split: 'train' | 'test') =>
    suite.task('member-remove', suite.seed(split, 0)).instruction;
  expect(instruction('train')).toMatch(/Ada|Ben/);
  expect(instruction('test')).toMatch(/Eva|Finn/);
});

test('an error names the file, the field and what to write', async () => {
  const folder = await folderWith({
    'press.json': { ...TASK, dartboard: { ...TASK.dartboard, solution: [['jump']] } },
  });
  await expect(webTasksFrom(folder)).rejects.toThrow(/press\.json.*dartboard\.solution/s);
  const shared = await folderWith({
    'press.json': { ...TASK, dartboard: { ...TASK.dartboard, vary: { what: { of: 'people' } } } },
  });
  await expect(webTasksFrom(shared)).rejects.toThrow(/dartboard\.vary\.what: Give a list of values$/);
  const broken = await folderWith({ 'press.json': { ...TASK, evaluator: { func: 'guess' } } });
  await expect(webTasksFrom(broken)).rejects.toThrow(/press\.json.*"guess" is not a metric/s);
  await expect(webTasksFrom(join(folder, 'missing'))).rejects.toThrow('cannot be read');
});
