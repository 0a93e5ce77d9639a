import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { seed } from '../../../../runtime/core/ids.ts';
import { miniwobStart } from '../../../../runtime/environments/web/miniwob/episode.ts';
import { miniwobSuite } from '../../../../runtime/environments/web/miniwob/suite.ts';
import { temporaryFolder } from '../../../temporary.ts';

const PAGE = '<script>window.onload = function () { core.startEpisode(); }</script>';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('miniwob');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test('each page of the folder is a task, also one that is not in the catalogue', async () => {
  const suite = await miniwobSuite(
    folderWith({
      'html/miniwob/click-test.html': PAGE,
      'html/miniwob/login-user.html': PAGE,
      'html/miniwob/my-own.html': PAGE,
      'html/miniwob/readme.html': '<p>no page</p>',
      'html/miniwob/odd name.html': PAGE,
      'html/flight/wrapper.html': PAGE,
    }),
  );
  expect(suite.tasks('train')).toEqual(['miniwob-click-test', 'miniwob-login-user', 'miniwob-my-own']);
  expect(suite.tasks('train', 1)).toEqual(['miniwob-click-test']);
});

test('training has the seeds 0 to 999 in mode train, tests have other seeds in mode test', async () => {
  const suite = await miniwobSuite(folderWith({ 'html/miniwob/click-test-transfer.html': PAGE }));
  const startOf = (split: 'train' | 'test', index: number) => {
    const task = suite.task('miniwob-click-test-transfer', suite.seed(split, index));
    return [task.dartboard?.split, miniwobStart.parse(task.config?.[0]?.parameters)];
  };
  const page = 'click-test-transfer';
  expect(suite.trainSeeds).toBe(1000);
  expect(startOf('train', 0)).toEqual(['train', { page, seed: 0, mode: 'train' }]);
  expect(startOf('train', 999)).toEqual(['train', { page, seed: 999, mode: 'train' }]);
  expect(startOf('train', 1000)).toEqual(['train', { page, seed: 0, mode: 'train' }]);
  expect(startOf('test', 0)).toEqual(['test', { page, seed: 1000, mode: 'test' }]);
});

test('an instance has a step limit, a placeholder for its instruction, and is scored by the page', async () => {
  const suite = await miniwobSuite(folderWith({ 'html/miniwob/click-test.html': PAGE }));
  expect(suite.task('miniwob-click-test', seed(7))).toMatchObject({
    id: 'miniwob-click-test',
    instruction: 'Do the task of the page click-test.',
    evaluator: { func: 'score', result: { type: 'miniwob_reward' } },
    related_apps: ['miniwob'],
    dartboard: { tier: 1, max_steps: 4 },
  });
});

test.each([[{}], [{ 'html/core/core.js': '' }]])('a folder without pages is refused: %j', async files => {
  const folder = folderWith(files);
  await expect(miniwobSuite(folder)).rejects.toThrow(/No pages of MiniWoB.*dartboard web get miniwob/);
});
