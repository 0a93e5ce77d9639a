import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluatedTasks } from '../../runtime/collect/evaluated-tasks.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { EXAMPLE } from '../environments/pocket/tasks/guide.ts';
import { temporaryFolder } from '../temporary.ts';

test('lists every task with the part of the suite on which it is evaluated', async () => {
  const { kind, files, tasks } = await evaluatedTasks(parseConfig({}));
  expect({ kind, files }).toEqual({ kind: 'pocket', files: undefined });
  for (const split of ['test', 'unseen'] as const)
    expect(tasks.filter(each => each.split === split).map(({ task }) => task)).toEqual(POCKET.tasks(split));
  expect(tasks.some(({ file }) => file !== undefined)).toBe(false);
});

test('a task of the user has its file', async () => {
  const folder = temporaryFolder('tasks');
  const file = join(folder, 'quieter-alerts.json');
  writeFileSync(file, EXAMPLE);
  const { files, tasks } = await evaluatedTasks(parseConfig({ suite: { files: folder } }));
  expect(files).toBe(folder);
  expect(tasks.filter(each => each.file !== undefined)).toEqual([
    { task: 'quieter-alerts', tier: 2, split: 'test', file },
  ]);
});

test('a folder that cannot be read is an error that names it', async () => {
  await expect(evaluatedTasks(parseConfig({ suite: { files: '/nowhere/tasks' } }))).rejects.toThrow(
    '/nowhere/tasks',
  );
});
