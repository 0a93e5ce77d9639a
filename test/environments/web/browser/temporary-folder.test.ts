import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  makeTemporaryFolder,
  removeStaleFolders,
  removeTemporaryFolder,
} from '../../../../runtime/environments/web/browser/temporary-folder.ts';
import { temporaryFolder } from '../../../temporary.ts';

test('the folders of processes that ended are removed, and no others', async () => {
  const parent = temporaryFolder('profiles');
  const { pid } = spawnSync(process.execPath, ['--version']);
  const own = makeTemporaryFolder(parent);
  const [stale, other] = [
    join(parent, `dartboard-browser-${pid}-abc`),
    join(parent, 'dartboard-browser-x-1'),
  ];
  for (const folder of [stale, other]) mkdirSync(folder);
  writeFileSync(join(stale, 'Preferences'), '{}');
  await removeStaleFolders(parent);
  expect([own, stale, other].map(existsSync)).toEqual([true, false, true]);
  await removeTemporaryFolder(own);
  await removeTemporaryFolder(own);
  expect(existsSync(own)).toBe(false);
});
